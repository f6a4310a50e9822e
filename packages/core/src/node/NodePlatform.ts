/**
 * Everything a program on Node needs beside a cloud's layer, in one: files, paths, and the network.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Layer from "effect/Layer"
import type { Transport } from "../http/Transport.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export declare const layer: Layer.Layer<FileSystem.FileSystem | Path.Path | Transport>
