/**
 * Where shares are: export locations and availability zones, and the lists of kinds of which there are none here.
 */
import { type Call, ok, param, type Reply } from "./Call.ts"
import * as Policy from "./Policy.ts"
import { refuse } from "./Refusal.ts"
import type { Route } from "./Route.ts"
import * as ShareView from "./ShareView.ts"
import type { World } from "./World.ts"

const listExports = (world: World, call: Call): Reply => {
  const share = Policy.shareOr404(world, call, param(call), `Share '${param(call)}' not found.`)
  return ok({
    export_locations: ShareView.exportsOf(call, share).map((row) => ShareView.exportLocation(call, share, row, false))
  })
}

const showExport = (world: World, call: Call): Reply => {
  const share = Policy.shareOr404(world, call, param(call), `Share '${param(call)}' not found.`)
  const row = call.now < share.exports.from ? undefined : share.exports.rows().find((one) => one.id === param(call, 1))
  if (row === undefined) throw refuse(404, `Export location '${param(call, 1)}' not found.`)
  if (row.isAdminOnly && !call.isAdmin) throw refuse(403)
  return ok({ export_location: ShareView.exportLocation(call, share, row, true) })
}

const listZones = (world: World): Reply =>
  ok({
    availability_zones: world.zones.map((zone) => ({
      id: zone.id,
      name: zone.name,
      created_at: zone.createdAt,
      updated_at: null
    }))
  })

const none = (key: string) => (): Reply => ok({ [key]: [] })

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "shares/:id/export_locations", since: 9, handle: listExports },
  { method: "GET", path: "shares/:id/export_locations/:id", since: 9, handle: showExport },
  { method: "GET", path: "os-availability-zone", until: 6, handle: listZones },
  { method: "GET", path: "availability-zones", since: 7, handle: listZones },
  { method: "GET", path: "extensions", handle: none("extensions") },
  { method: "GET", path: "security-services", handle: none("security_services") },
  { method: "GET", path: "security-services/detail", handle: none("security_services") },
  { method: "GET", path: "share-replicas", since: 11, experimentalUntil: 55, handle: none("share_replicas") },
  { method: "GET", path: "share-replicas/detail", since: 11, experimentalUntil: 55, handle: none("share_replicas") },
  { method: "GET", path: "share-transfers", since: 77, handle: none("transfers") },
  { method: "GET", path: "share-transfers/detail", since: 77, handle: none("transfers") },
  { method: "GET", path: "share-backups", since: 80, experimentalUntil: 99, handle: none("share_backups") },
  { method: "GET", path: "share-backups/detail", since: 80, experimentalUntil: 99, handle: none("share_backups") },
  { method: "GET", path: "resource-locks", since: 81, handle: none("resource_locks") }
]
