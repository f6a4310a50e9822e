/**
 * Bodies of the smaller kinds.
 */
import type { Call } from "./Call.ts"
import { linksOf } from "./Links.ts"
import type { ExportRow, GroupRow, MessageRow, NetworkRow, SnapshotRow, SnapshotRuleRow, TypeRow } from "./Rows.ts"
import * as Track from "./Track.ts"

type View = Record<string, unknown>

export const snapshotSummary = (call: Call, snapshot: SnapshotRow): View => ({
  id: snapshot.id,
  name: snapshot.name,
  links: linksOf(call, "snapshots", snapshot.id)
})

export const snapshot = (call: Call, row: SnapshotRow): View => {
  const view: View = {
    id: row.id,
    share_id: row.shareId,
    share_size: row.size,
    created_at: row.createdAt,
    status: Track.statusAt(row.track, call.now),
    name: row.name,
    description: row.description,
    size: row.size,
    share_proto: row.proto,
    links: linksOf(call, "snapshots", row.id)
  }
  if (call.version >= 12 && call.isAdmin) view["provider_location"] = row.providerLocation
  if (call.version >= 17) {
    view["user_id"] = row.userId
    view["project_id"] = row.projectId
  }
  if (call.version >= 73) view["metadata"] = row.metadata
  return view
}

export const snapshotExport = (call: Call, row: SnapshotRow, location: ExportRow, isDetail: boolean): View => ({
  id: location.id,
  path: location.path,
  links: linksOf(call, "share_snapshot_export_locations", location.id),
  ...(call.isAdmin ? { share_snapshot_instance_id: row.instanceId, is_admin_only: location.isAdminOnly } : {}),
  ...(isDetail ? { created_at: row.createdAt, updated_at: null } : {})
})

export const snapshotRule = (call: Call, row: SnapshotRuleRow): View => ({
  id: row.id,
  access_type: row.type,
  access_to: row.to,
  state: Track.statusAt(row.track, call.now)
})

export const message = (call: Call, row: MessageRow): View => ({
  id: row.id,
  project_id: row.projectId,
  action_id: row.actionId,
  detail_id: row.detailId,
  message_level: row.level,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
  request_id: row.requestId,
  links: linksOf(call, "messages", row.id),
  resource_type: row.resourceType,
  resource_id: row.resourceId,
  user_message: row.text
})

/** Specs of a type that everybody may read; the rest is an administrator's. */
const shownSpecs = new Set([
  "driver_handles_share_servers",
  "snapshot_support",
  "create_share_from_snapshot_support",
  "revert_to_snapshot_support",
  "replication_type",
  "mount_snapshot_support",
  "mount_point_name_support",
  "snapshot_inherit_share_access_support",
  "availability_zones",
  "encryption_support",
  "provisioning:max_share_size",
  "provisioning:min_share_size",
  "provisioning:max_share_extend_size",
  "provisioning:mount_point_prefix",
  "default_qos_type"
])

const inferred = [
  "snapshot_support",
  "create_share_from_snapshot_support",
  "revert_to_snapshot_support",
  "mount_snapshot_support"
]

export const shareType = (call: Call, row: TypeRow, required?: View): View => {
  const specs: View = {}
  for (const [key, value] of Object.entries(row.extraSpecs)) {
    if (call.isAdmin || shownSpecs.has(key)) specs[key] = value
  }
  const dhss = row.extraSpecs["driver_handles_share_servers"]
  // Specs are texts; the ones a reader has to guess at are real booleans.
  if (!call.isAdmin && call.version >= 24) for (const key of inferred) specs[key] ??= false
  if (!call.isAdmin && call.version >= 99) specs["snapshot_inherit_share_access_support"] ??= false
  const view: View = {
    id: row.id,
    name: row.name,
    extra_specs: specs,
    required_extra_specs: required ?? (dhss === undefined ? {} : { driver_handles_share_servers: dhss })
  }
  view[call.version < 7 ? "os-share-type-access:is_public" : "share_type_access:is_public"] = row.isPublic
  if (call.version >= 41) view["description"] = row.description
  if (call.version >= 46) view["is_default"] = row.isDefault
  return view
}

export const network = (call: Call, row: NetworkRow): View => {
  const { version } = call
  const view: View = {
    id: row.id,
    name: row.name,
    project_id: row.projectId,
    created_at: row.createdAt,
    updated_at: row.updatedAt
  }
  const first = row.subnets[0]
  const flat = (netId: string | null, subnetId: string | null): View => ({
    neutron_net_id: netId,
    neutron_subnet_id: subnetId,
    network_type: null,
    segmentation_id: null,
    cidr: null,
    ip_version: null
  })
  if (version < 51) Object.assign(view, flat(first?.netId ?? null, first?.subnetId ?? null))
  view["description"] = row.description
  if (version >= 18 && version < 51) view["gateway"] = null
  if (version >= 20 && version < 51) view["mtu"] = null
  if (version < 26) view["nova_net_id"] = null
  if (version >= 51)
    view["share_network_subnets"] = row.subnets.map((subnet) => ({
      id: subnet.id,
      availability_zone: subnet.zone,
      created_at: subnet.createdAt,
      updated_at: null,
      ...flat(subnet.netId, subnet.subnetId),
      mtu: null,
      gateway: null,
      ...(version >= 78 ? { metadata: {} } : {})
    }))
  if (version >= 63) {
    view["status"] = row.status
    view["security_service_update_support"] = true
  }
  if (version >= 70) view["network_allocation_update_support"] = true
  return view
}

export const groupSummary = (call: Call, row: GroupRow): View => ({
  id: row.id,
  name: row.name,
  links: linksOf(call, "share-groups", row.id)
})

export const group = (call: Call, row: GroupRow): View => ({
  id: row.id,
  name: row.name,
  created_at: row.createdAt,
  status: Track.statusAt(row.track, call.now),
  description: row.description,
  project_id: row.projectId,
  host: row.host,
  share_group_type_id: row.groupTypeId,
  source_share_group_snapshot_id: null,
  share_network_id: null,
  share_types: row.typeIds,
  links: linksOf(call, "share-groups", row.id),
  ...(call.version >= 34 ? { availability_zone: "nova", consistent_snapshot_support: null } : {}),
  ...(call.isAdmin ? { share_server_id: null } : {})
})
