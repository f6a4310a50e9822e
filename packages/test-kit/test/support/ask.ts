/** Asks a fake cloud as a client would, without a client. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { FakeCloud } from "@effect-manila/test-kit/FakeCloud"

export type Cloud = Context.Tag.Service<FakeCloud>

export type Who = "demo" | "other" | "reader" | "admin" | "nobody"

export interface Asked {
  readonly as?: Who
  /** A whole version, as in `2.54`; `null` sends none. Default: the newest. */
  readonly version?: string | null
  readonly query?: ReadonlyArray<readonly [string, string]>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Default `/share`. */
  readonly service?: "/share" | "/identity"
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON, or an empty object. */
  // Tests look into bodies of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

const tokenOf = (cloud: Cloud, who: Who): string | undefined =>
  who === "nobody" ? undefined : who === "demo" ? cloud.credentials.token : cloud[who].token

const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

export const ask = (cloud: Cloud, method: string, target: string, asked: Asked = {}): Effect.Effect<Answer> => {
  const { as = "demo", version = "2.99", service = "/share", body } = asked
  const token = tokenOf(cloud, as)
  const [path = "", search = ""] = target.split("?", 2)
  const headers: Record<string, string> = { accept: "application/json" }
  if (token !== undefined) headers["x-auth-token"] = token
  if (version !== null && service === "/share") headers["x-openstack-manila-api-version"] = version
  if (body !== undefined) headers["content-type"] = "application/json"
  return cloud
    .app({
      method,
      origin: "http://cloud",
      path: `${service}${path}`,
      query: asked.query ?? [...new URLSearchParams(search)],
      headers: { ...headers, ...asked.headers },
      body: body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)
    })
    .pipe(
      Effect.map((reply) => {
        if (reply._tag !== "Answer") throw new Error("the cloud itself resets nothing")
        const { status, headers, body } = reply.answer
        return { status, headers, text: body, json: parse(body) }
      })
    )
}

export const get = (cloud: Cloud, target: string, asked?: Asked) => ask(cloud, "GET", target, asked)

export const act = (cloud: Cloud, id: string, action: string, argument: unknown = null, asked: Asked = {}) =>
  ask(cloud, "POST", `/v2/shares/${id}/action`, { ...asked, body: { [action]: argument } })

/** The sentence of a fault, whatever its key. */
export const messageOf = (answer: Answer): string => {
  const [fault] = Object.values<{ message?: string }>(answer.json)
  return fault?.message ?? ""
}

/** Makes a share and gives its id. */
export const createShare = (cloud: Cloud, body: object = {}, asked?: Asked): Effect.Effect<string> =>
  Effect.map(
    ask(cloud, "POST", "/v2/shares", { ...asked, body: { share: { share_proto: "NFS", size: 1, ...body } } }),
    (answer) => {
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      return String(answer.json.share.id)
    }
  )

export const statusOf = (cloud: Cloud, id: string): Effect.Effect<string> =>
  Effect.map(get(cloud, `/v2/shares/${id}`), (answer) =>
    answer.status === 404 ? "gone" : String(answer.json.share.status)
  )
