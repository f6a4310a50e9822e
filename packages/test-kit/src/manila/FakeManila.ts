/**
 * The share service, version 2, over every microversion from 2.0 to 2.99: what surrounds its operations.
 *
 * @since 0.1.0
 */
import * as Answer from "../internal/Answer.ts"
import type { FakeKeystone } from "../keystone/FakeKeystone.ts"
import type { WireAnswer, WireRequest } from "../Wire.ts"
import * as Router from "./internal/Router.ts"
import type { World } from "./internal/World.ts"

/** More than this the service does not read. */
const maxBodyBytes = 114_688

const unauthorized = (request: WireRequest, requestId: string): WireAnswer =>
  Answer.json(
    401,
    { error: { code: 401, title: "Unauthorized", message: "The request you have made requires authentication." } },
    { "www-authenticate": `Keystone uri="${request.origin}/identity"`, "x-openstack-request-id": requestId }
  )

const redirect = (request: WireRequest, to: string, requestId: string): WireAnswer => ({
  status: 302,
  headers: {
    location: `${request.origin}/share${to}`,
    "content-type": "text/plain; charset=utf8",
    "x-openstack-request-id": requestId
  },
  body: ""
})

const reply = (
  world: World,
  keystone: FakeKeystone,
  request: WireRequest,
  path: string,
  now: number,
  requestId: string
): WireAnswer => {
  if (request.method === "OPTIONS") return { status: 200, headers: { "content-length": "0" }, body: "" }
  const reads = request.method === "GET"
  if (path === "" && reads) return redirect(request, "/", requestId)
  if (path === "/" && reads)
    return Answer.json(300, Router.versions(world, `${request.origin}/share`), { "x-openstack-request-id": requestId })
  if (path === "/healthcheck" && reads) return Answer.json(200, { detailed: false, reasons: ["OK"] })
  if (path !== "/v2" && !path.startsWith("/v2/")) return Router.noRoute(request, requestId)
  if (request.body.length > maxBodyBytes)
    return Answer.text(413, "The request is too large.", "text/plain; charset=UTF-8", {
      "x-openstack-request-id": requestId
    })
  const session = keystone.session(request.headers["x-auth-token"], now)
  if (session === undefined) return unauthorized(request, requestId)
  if (path === "/v2") return redirect(request, "/v2/", requestId)
  return Router.handle(world, request, path.slice("/v2".length), session, now, requestId)
}

/**
 * Answers a request whose path, without `/share`, is `path`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const handle = (
  world: World,
  keystone: FakeKeystone,
  request: WireRequest,
  path: string,
  now: number,
  requestId: string
): WireAnswer => {
  const answer = reply(world, keystone, request, path, now, requestId)
  return request.method === "HEAD" ? Answer.headOf(answer) : answer
}
