/**
 * The machine's parts a cloud is reached with: the bin gives the real ones, tests an in-process cloud.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { Transport } from "@effect-manila/core/http/Transport"

/**
 * @since 0.1.0
 * @category models
 */
export type Platform = Transport | FileSystem.FileSystem | Path.Path
