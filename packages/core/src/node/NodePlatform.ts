/**
 * Everything a program on Node needs beside a cloud's layer, in one: files, paths, and the network.
 *
 * ```ts
 * import { Manila } from "@effect-manila/core"
 * import * as NodePlatform from "@effect-manila/core/node/NodePlatform"
 * import { Layer } from "effect"
 *
 * const cloud = Manila.layerCloud("mycloud").pipe(Layer.provide(NodePlatform.layer))
 * ```
 *
 * @since 0.1.0
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Layer from "effect/Layer"
import { platform } from "node:os"
import type { Transport } from "../http/Transport.ts"
import { System } from "../internal/system.ts"
import * as NodeTransport from "./NodeTransport.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<FileSystem.FileSystem | Path.Path | Transport> = Layer.provideMerge(
  NodeTransport.layer,
  Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, Layer.succeed(System, platform()))
)
