/**
 * From a request to its answer: the root page, logins, tokens, bodies, and which route it is.
 */
import * as Answer from "../../internal/Answer.ts"
import type { WireAnswer, WireRequest } from "../../Wire.ts"
import * as Accounts from "./Accounts.ts"
import type { Call, Reply } from "./Call.ts"
import * as Capabilities from "./Capabilities.ts"
import * as H from "./Handlers.ts"
import type { Json } from "./Objects.ts"
import * as O from "./OperationHandlers.ts"
import { bodyOf, Refusal, refuse } from "./Refusal.ts"
import type { World } from "./World.ts"

interface Route {
  readonly method: string
  readonly pattern: ReadonlyArray<string>
  /** Members of the body that the handler takes; others are arguments it does not expect. */
  readonly members: ReadonlySet<string>
  readonly handle: (call: Call) => Reply
}

/** `members` are words with a blank between them. */
const route = (line: string, handle: Route["handle"], members = ""): Route => {
  const [method = "", path = ""] = line.split(" ")
  const pattern = path.split("/").slice(1)
  const named = pattern.filter((part) => part.startsWith(":")).map((part) => part.slice(1))
  return { method, pattern, members: new Set([...named, ...members.split(" ")]), handle }
}

const object = (collection: string, ref: string, operations: Route["handle"]) => [
  route(`GET /${collection}/:${ref}/clusteroperations`, operations, "all namespace"),
  route(`GET /${collection}/:${ref}/metadata`, H.getMetadata, "namespace"),
  route(`POST /${collection}/:${ref}/metadata`, H.addMetadata, "namespace key value"),
  route(`PUT /${collection}/:${ref}/metadata/:key`, H.setMetadata, "namespace value"),
  route(`DELETE /${collection}/:${ref}/metadata/:key`, H.deleteMetadata, "namespace value")
]

const routes: ReadonlyArray<Route> = [
  route("GET /instances", H.listInstances, "all"),
  route(
    "POST /instances",
    H.createInstance,
    "name cpus memory network disk ssh_key user_data namespace video configdrive metadata side_channels uefi " +
      "secure_boot nvram_template placed_on"
  ),
  route("DELETE /instances", H.deleteInstances, "confirm namespace"),
  route("GET /instances/:instance_ref", H.getInstance, "namespace"),
  route("DELETE /instances/:instance_ref", H.deleteInstance, "namespace"),
  route("GET /instances/:instance_ref/interfaces", H.listInterfaces, "namespace"),
  route("POST /instances/:instance_ref/interfaces", H.plugInterface, "namespace network"),
  route("GET /instances/:instance_ref/agentoperations", H.listAgentOperations, "namespace all"),
  ...object("instances", "instance_ref", O.ofInstance),
  route("GET /networks", H.listNetworks, "all"),
  route("POST /networks", H.createNetwork, "netblock provide_dhcp provide_nat provide_dns name namespace"),
  route("DELETE /networks", H.deleteNetworks, "confirm namespace clean_wait"),
  route("GET /networks/:network_ref", H.getNetwork, "namespace"),
  route("DELETE /networks/:network_ref", H.deleteNetwork, "namespace"),
  ...object("networks", "network_ref", O.ofNetwork),
  route("GET /artifacts", H.listArtifacts, "node"),
  route("POST /artifacts", H.createArtifact, "url shared namespace"),
  route("DELETE /artifacts", H.deleteArtifacts, "confirm namespace"),
  route("GET /artifacts/:artifact_ref", H.getArtifact, "namespace"),
  route("DELETE /artifacts/:artifact_ref", H.deleteArtifact, "namespace"),
  ...object("artifacts", "artifact_ref", O.ofArtifact),
  route("GET /clusteroperations", O.byTarget, "target_object_type target_uuid"),
  route("GET /clusteroperations/:operation_uuid/chain", O.getChain),
  route("GET /clusteroperations/:operation_type/:operation_uuid", O.getOperation),
  route("GET /blobs/:blob_uuid/checksum/:algorithm", O.getChecksum),
  route("GET /auth/namespaces", O.listNamespaces),
  route("GET /auth/namespaces/:namespace", O.getNamespace)
]

const match = (pattern: ReadonlyArray<string>, segments: ReadonlyArray<string>): Json | undefined => {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, unknown> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]!
    if (part.startsWith(":")) params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}

/** A body is read whatever its type says; one that is no JSON counts as none. */
const members = (body: string): Json => {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return {}
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw refuse(400, "the request body is not a JSON object")
  }
  // It was just seen to be an object.
  return json as Json
}

/** A caller that reads HTML, or does not say what it reads, is taken for a browser and sent to the front page. */
const isBrowser = (request: WireRequest): boolean => {
  const accept = request.headers["accept"]
  return accept === undefined || accept === "" || accept.includes("text/html")
}

const open = new Set(["/livez", "/readyz", "/healthz"])

export interface Place {
  readonly basePath: string
  readonly movedFrom: string | undefined
}

export const handle = (world: World, place: Place, request: WireRequest, now: number): WireAnswer => {
  const headers = { "x-request-id": world.ids.uuid() }
  const path = request.path.length > 1 ? request.path.replace(/\/$/, "") : request.path
  if (place.movedFrom !== undefined && path === place.movedFrom) {
    return Answer.text(301, "", "text/html", { ...headers, location: `${request.origin}${place.basePath || "/"}` })
  }
  if (place.basePath !== "" && path !== place.basePath && !path.startsWith(`${place.basePath}/`)) {
    return Answer.text(404, "<html><title>404 Not Found</title></html>", "text/html", headers)
  }
  const rest = path.slice(place.basePath.length) || "/"
  try {
    if (rest === "/") return Answer.text(200, Capabilities.page(world.off), "text/html; charset=utf-8", headers)
    if (open.has(rest)) return Answer.text(200, "ok", "text/plain", headers)
    if (rest === "/auth") return Answer.json(200, logIn(world, request, now), headers)
    const authorization = request.headers["authorization"] ?? ""
    if (authorization === "") throw refuse(401, "missing authorization header")
    const token = /^Bearer (\S+)$/.exec(authorization)?.[1]
    const namespace = token === undefined ? undefined : Accounts.holder(world.accounts, token, now)
    if (namespace === undefined) {
      if (!isBrowser(request)) throw refuse(401, "invalid token")
      const cookie = "access_token_cookie=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/"
      return Answer.text(302, "", "text/html", { ...headers, location: "/", "set-cookie": cookie })
    }
    const { body, status } = dispatch(world, request, rest, namespace, now)
    return Answer.json(status, body, headers)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const text = bodyOf(error.status, error.error, error.more)
    return Answer.text(error.status, text, "application/json", { ...headers, ...error.headers })
  }
}

const logIn = (world: World, request: WireRequest, now: number): Json => {
  if (request.method !== "POST") throw refuse(405, "method not allowed")
  const { key, namespace, ...others } = members(request.body)
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) throw refuse(400, unexpected(unknown))
  if (key === undefined || key === null) throw refuse(400, "missing key in request")
  if (typeof key !== "string") throw refuse(400, "key is not a string")
  const wanted = typeof namespace === "string" ? world.accounts.keys.get(namespace) : undefined
  if (wanted === undefined) throw refuse(404, "namespace not found")
  if (wanted !== key) throw refuse(401, "unauthorized")
  return {
    access_token: Accounts.issue(world.accounts, world.ids, String(namespace), now),
    token_type: "Bearer",
    expires_in: Math.floor(world.accounts.lifeMillis / 1000)
  }
}

const unexpected = (name: string): string => `got an unexpected keyword argument '${name}'`

const dispatch = (world: World, request: WireRequest, path: string, namespace: string, now: number): Reply => {
  const segments = Answer.segmentsOf(path).slice(1)
  let isPath = false
  for (const { handle, members: allowed, method, pattern } of routes) {
    const params = match(pattern, segments)
    if (params === undefined) continue
    isPath = true
    if (method !== request.method) continue
    const body = members(request.body)
    const unknown = Object.keys(body).find((name) => !allowed.has(name))
    if (unknown !== undefined) throw refuse(400, unexpected(unknown))
    // A member of the body takes the place of the path's parameter of that name.
    const taken = Object.fromEntries(Object.keys(params).flatMap((name) => (name in body ? [[name, body[name]]] : [])))
    return handle({
      world,
      now,
      namespace,
      body,
      query: Answer.queryOf(request),
      params: { ...params, ...taken }
    })
  }
  throw isPath ? refuse(405, "method not allowed") : refuse(404, "not found")
}
