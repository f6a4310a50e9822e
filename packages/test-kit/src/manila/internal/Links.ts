/**
 * Links, as the service writes them: to follow one is at the reader's own risk.
 */
import type { Call } from "./Call.ts"

export const linksOf = (call: Call, collection: string, id: string) => [
  { rel: "self", href: `${call.base}/v2${call.projectPath}/${collection}/${id}` },
  { rel: "bookmark", href: `${call.base}${call.projectPath}/${collection}/${id}` }
]

/**
 * The `next` link of a full page. It repeats the query and adds a `marker`, which the service itself does not read:
 * whoever follows it gets the same page again.
 */
export const nextLinks = (
  call: Call,
  collection: string,
  page: ReadonlyArray<{ readonly id: string }>
): ReadonlyArray<object> | undefined => {
  const limit = Number(call.query.get("limit") ?? 0)
  const last = page.at(-1)
  if (last === undefined || limit !== page.length) return undefined
  const params = [...call.query].filter(([key]) => key !== "marker")
  const query = [...params, ["marker", last.id] as const].map(([key, value]) => `${key}=${value}`).join("&")
  return [{ rel: "next", href: `${call.base}/v2${call.projectPath}/${collection}?${query}` }]
}
