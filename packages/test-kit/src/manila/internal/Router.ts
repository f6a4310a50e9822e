/**
 * From a request to the operation it is for, and from its outcome to an answer: the order of the checks is the
 * service's own.
 */
import * as Answer from "../../internal/Answer.ts"
import type { Session } from "../../keystone/FakeKeystone.ts"
import type { WireAnswer, WireRequest } from "../../Wire.ts"
import * as Access from "./Access.ts"
import * as Backups from "./Backups.ts"
import { type Call, isJson, type Reply } from "./Call.ts"
import * as Instances from "./Instances.ts"
import * as Manage from "./Manage.ts"
import * as Messages from "./Messages.ts"
import * as Metadata from "./Metadata.ts"
import * as Microversion from "./Microversion.ts"
import * as Networks from "./Networks.ts"
import * as ExportMetadata from "./ExportMetadata.ts"
import * as Places from "./Places.ts"
import * as Quotas from "./Quotas.ts"
import * as Replicas from "./Replicas.ts"
import { refuse, Refusal, toAnswer } from "./Refusal.ts"
import type { Route } from "./Route.ts"
import * as ShareActions from "./ShareActions.ts"
import * as ShareCreate from "./ShareCreate.ts"
import * as ShareList from "./ShareList.ts"
import * as Shares from "./Shares.ts"
import * as SnapshotActions from "./SnapshotActions.ts"
import * as Snapshots from "./Snapshots.ts"
import * as Types from "./Types.ts"
import type { World } from "./World.ts"

/** All operations at one method and path: by action, by microversion. */
interface Place {
  readonly segments: ReadonlyArray<string>
  readonly literals: number
  readonly routes: Array<Route>
}

const compile = (routes: ReadonlyArray<Route>): Map<string, Array<Place>> => {
  const index = new Map<string, Array<Place>>()
  for (const route of routes) {
    const segments = route.path.split("/")
    const key = `${route.method} ${segments.length} ${segments[0]}`
    const places = index.get(key) ?? []
    const known = places.find((place) => place.segments.join("/") === route.path)
    if (known !== undefined) known.routes.push(route)
    else
      places.push({
        segments,
        literals: segments.filter((segment) => !segment.startsWith(":")).length,
        routes: [route]
      })
    index.set(key, places)
  }
  for (const places of index.values()) places.sort((a, b) => b.literals - a.literals)
  return index
}

const index = compile([
  ...ShareCreate.routes,
  ...Shares.routes,
  ...ShareActions.routes,
  ...ShareList.routes,
  ...Manage.routes,
  ...Access.routes,
  ...Metadata.routes,
  ...Snapshots.routes,
  ...SnapshotActions.routes,
  ...Replicas.routes,
  ...Instances.routes,
  ...Backups.routes,
  ...Messages.routes,
  ...Types.routes,
  ...Networks.routes,
  ...Quotas.routes,
  ...Places.routes,
  ...ExportMetadata.routes
])

interface Found {
  readonly routes: ReadonlyArray<Route>
  readonly params: ReadonlyArray<string>
}

const lookUp = (method: string, segments: ReadonlyArray<string>): Found | undefined => {
  for (const place of index.get(`${method} ${segments.length} ${segments[0]}`) ?? []) {
    const params: Array<string> = []
    const fits = place.segments.every((wanted, at) => {
      const given = segments[at] ?? ""
      if (!wanted.startsWith(":")) return wanted === given
      params.push(given)
      return given !== ""
    })
    if (fits) return { routes: place.routes, params }
  }
  return undefined
}

const contentOf = (request: WireRequest): string | undefined => {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase()
  return type === "application/json" && request.body !== "" ? request.body : undefined
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse(400, "Malformed request body")
  }
}

/** The operations under the one key of an action's body. */
const pickAction = (routes: ReadonlyArray<Route>, content: string | undefined): ReadonlyArray<Route> => {
  if (content === undefined) throw refuse(400, "There is no such action: None")
  const body = parse(content)
  // One key it must be. What has no length at all, or is one long and no object, is not even malformed.
  const length = isJson(body)
    ? Object.keys(body).length
    : Array.isArray(body) || typeof body === "string"
      ? body.length
      : undefined
  if (length !== undefined && length !== 1) throw refuse(400, "Malformed request body")
  if (!isJson(body)) throw refuse(404)
  const [name = ""] = Object.keys(body)
  const named = routes.filter((route) => route.action === name)
  if (named.length === 0) throw refuse(400, `There is no such action: ${name}`)
  return named
}

const serves = (route: Route, version: number, experimental: boolean): boolean =>
  version >= (route.since ?? 0) &&
  version <= (route.until ?? Infinity) &&
  (experimental || version > (route.experimentalUntil ?? -1))

const serve = (world: World, request: WireRequest, found: Found, call: Call, urlProject: string | undefined): Reply => {
  const content = contentOf(request)
  const named = found.routes[0]?.action === undefined ? found.routes : pickAction(found.routes, content)
  const body = content === undefined ? undefined : parse(content)
  if (urlProject !== undefined && urlProject !== call.projectId) throw refuse(400, "Malformed request url")
  const experimental = Microversion.isExperimental(request.headers)
  const route = named.find((one) => serves(one, call.version, experimental))
  if (route === undefined) throw refuse(404)
  if (call.projectId === "") throw refuse(403)
  if (route.role === "admin" ? !call.isAdmin : route.role === "member" && !call.isMember) throw refuse(403)
  if (route.body === "needed" ? body === undefined : route.body === undefined && body !== undefined) throw refuse(400)
  return route.handle(world, { ...call, body, params: found.params })
}

/** The router's own 404, which knows nothing of versions and fault bodies. */
export const noRoute = (request: WireRequest, requestId: string): WireAnswer => {
  const headers: Answer.Headers = { "x-openstack-request-id": requestId }
  if (request.method === "HEAD") return Answer.text(404, "", "text/html; charset=UTF-8", headers)
  const message = "The resource could not be found.<br /><br />\n\n\n"
  if (Answer.accepts(request, "application/json"))
    return Answer.json(404, { message, code: "404 Not Found", title: "Not Found" }, headers)
  if (Answer.accepts(request, "html") || Answer.accepts(request, "*/*"))
    return Answer.text(
      404,
      `<html>\n <head>\n  <title>404 Not Found</title>\n </head>\n <body>\n  <h1>404 Not Found</h1>\n  ${message}\n </body>\n</html>`,
      "text/html; charset=UTF-8",
      headers
    )
  return Answer.text(
    404,
    "404 Not Found\n\nThe resource could not be found.\n\n   ",
    "text/plain; charset=UTF-8",
    headers
  )
}

/** The document of `/` and of `/v2/`. */
export const versions = (world: World, base: string) => ({
  versions: [
    {
      id: "v2.0",
      status: "CURRENT",
      version: `2.${world.newest}`,
      min_version: `2.${world.oldest}`,
      updated: "2015-08-27T11:33:21Z",
      links: [
        { rel: "describedby", type: "text/html", href: "http://docs.openstack.org/" },
        { rel: "self", href: `${base}/v2/` }
      ],
      "media-types": [{ base: "application/json", type: "application/vnd.openstack.share+json;version=1" }]
    }
  ]
})

const isProject = (segment: string): boolean => /^[\da-f-]+$/.test(segment)

/**
 * A request under `/v2/`, whose token is good.
 */
export const handle = (
  world: World,
  request: WireRequest,
  path: string,
  session: Session,
  now: number,
  requestId: string
): WireAnswer => {
  const all = Answer.segmentsOf(path).slice(1)
  // A doubled slash is one; at the end it is a segment of its own, which no route has.
  const segments = all.filter((segment, at) => segment !== "" || (at > 0 && at === all.length - 1))
  const last = segments.at(-1)
  if (last?.endsWith(".json") === true) segments[segments.length - 1] = last.slice(0, -5)
  const isIndex = segments.length === 0 && request.method === "GET"
  const urlProject = segments.length > 1 && isProject(segments[0] ?? "") ? segments[0] : undefined
  const found = isIndex ? undefined : lookUp(request.method, urlProject === undefined ? segments : segments.slice(1))
  if (!isIndex && found === undefined) return noRoute(request, requestId)

  const headers: Answer.Headers = { "x-openstack-request-id": requestId, "x-compute-request-id": requestId }
  const asked = Microversion.asked(request.headers, world.oldest, world.newest)
  if (asked._tag === "Malformed")
    return toAnswer(
      refuse(400, `API Version String ${asked.text} is of invalid format. Must be of format MajorNum.MinorNum.`),
      headers
    )
  Microversion.echo(headers, asked.text, Microversion.isExperimental(request.headers))
  if (asked._tag === "Unsupported")
    return toAnswer(
      refuse(
        406,
        `Version ${asked.text} is not supported by the API. Minimum is 2.${world.oldest} and maximum is 2.${world.newest}.`
      ),
      headers
    )
  const base = `${request.origin}/share`
  if (found === undefined) return Answer.json(200, versions(world, base), headers)

  const projectId = session.scope._tag === "Project" ? session.scope.project.id : ""
  const call: Call = {
    now,
    requestId,
    version: asked.minor,
    userId: session.user.id,
    projectId,
    isAdmin: session.user.roles.includes("admin"),
    isMember: session.user.roles.includes("member"),
    base,
    projectPath: urlProject === undefined ? "" : `/${urlProject}`,
    query: Answer.queryOf(request),
    body: undefined,
    params: found.params
  }
  try {
    const reply = serve(world, request, found, call, urlProject)
    return reply.body === undefined
      ? Answer.text(reply.status, "", reply.type ?? "application/json", headers)
      : Answer.json(reply.status, reply.body, headers)
  } catch (error) {
    if (error instanceof Refusal) return toAnswer(error, headers)
    throw error
  }
}
