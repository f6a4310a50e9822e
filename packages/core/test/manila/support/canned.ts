/** A share service whose answers to everything but its version documents are given by the test. */
import type { App, WireAnswer, WireReply } from "@effect-manila/test-kit/Wire"
import * as Effect from "effect/Effect"

export const requestId = "req-ca000000-0000-4000-8000-000000000001"

export const answer = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = { "x-openstack-request-id": requestId }
): WireReply => ({
  _tag: "Answer",
  answer: { status, body, headers: { "content-type": "application/json", ...headers } satisfies WireAnswer["headers"] }
})

export const json = (status: number, body: unknown, headers?: Readonly<Record<string, string>>): WireReply =>
  answer(status, JSON.stringify(body), headers)

const isOwn = (path: string) => path.startsWith("/share/v2/") && path !== "/share/v2/"

/** For `Setup.wrap`. The replies come in order, and the last one repeats. */
export const replies = (...given: ReadonlyArray<WireReply>) => {
  let next = given
  return {
    wrap:
      (app: App): App =>
      (request) => {
        if (!isOwn(request.path)) return app(request)
        const [first, ...rest] = next
        if (rest.length > 0) next = rest
        return first === undefined ? Effect.dieMessage("no answer is left") : Effect.succeed(first)
      },
    set: (...replies: ReadonlyArray<WireReply>) => {
      next = replies
    }
  }
}
