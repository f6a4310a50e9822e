/**
 * Decodes the official samples of the service's answers with the library's own models.
 *
 *     node --conditions=@effect-manila/source --import tsx scripts/check-samples.mjs FOLDER
 *
 * The samples belong to the service's documentation and are not part of this repository. FOLDER has them beside an
 * `index.json`: a list of `{ file, kind, endpoints: [{ resource, operation }] }`. Kinds that the library does not have
 * are skipped. Prints `N ok, M failed`, and exits with 1 if any failed.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { operations } from "@effect-manila/core/manila/operations"

/** The operation that reads the answer of a documented one. */
const readers = {
  "share.create": "share.create",
  "share.list": "share.listSummary",
  "share.list_detail": "share.list",
  "share.show": "share.get",
  "share.update": "share.update",
  "share_metadata.list": "share.getMetadata",
  "share_metadata.set": "share.setMetadata",
  "share_metadata.replace_all": "share.replaceMetadata",
  "share_metadata.show_item": "share.getMetadataItem",
  "share_access_rule.allow_access": "accessRule.allow",
  "share_access_rule.list": "accessRule.list",
  "share_access_rule.list_for_share_action": "accessRule.list",
  "share_access_rule.show": "accessRule.get",
  "share_access_rule.update": "accessRule.update",
  "share_access_rule_metadata.set": "accessRule.setMetadata",
  "export_location.list": "exportLocation.list",
  "export_location.show": "exportLocation.get",
  "snapshot.create": "snapshot.create",
  "snapshot.list": "snapshot.listSummary",
  "snapshot.list_detail": "snapshot.list",
  "snapshot.show": "snapshot.get",
  "snapshot.update": "snapshot.update",
  "snapshot_export_location.list": "snapshot.listExportLocations",
  "snapshot_metadata.list": "snapshot.getMetadata",
  "snapshot_metadata.set": "snapshot.setMetadata",
  "snapshot_metadata.replace_all": "snapshot.replaceMetadata",
  "snapshot_metadata.show_item": "snapshot.getMetadataItem",
  "message.list": "message.list",
  "message.show": "message.get",
  "share_type.list": "shareType.list",
  "share_type.default": "shareType.default",
  "share_type.show": "shareType.get",
  "share_type.create": "shareType.create",
  "share_type.update": "shareType.update",
  "share_network.list_detail": "shareNetwork.list",
  "share_network.show": "shareNetwork.get",
  "share_group.list_detail": "shareGroup.list",
  "share_group.show": "shareGroup.get"
}

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error("usage: node --conditions=@effect-manila/source --import tsx scripts/check-samples.mjs FOLDER")
  process.exit(2)
}

const read = (file) => JSON.parse(readFileSync(join(folder, file), "utf8"))

let ok = 0
let failed = 0
for (const { endpoints, file, kind } of read("index.json")) {
  if (kind !== "response") continue
  for (const { operation, resource } of endpoints) {
    const name = readers[`${resource}.${operation}`]
    if (name === undefined) continue
    const result = Effect.runSync(Effect.either(operations.get(name).output.decode(read(file))))
    if (Either.isRight(result)) {
      ok++
    } else {
      failed++
      console.log(`${file}, read as ${name}: ${result.left.message}`)
    }
  }
}

console.log(`${ok} ok, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
