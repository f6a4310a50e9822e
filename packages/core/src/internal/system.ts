/**
 * The kind of system, apart from what is looked for on it: the layers for Node say which it is, and serve programs that
 * read no `clouds.yaml`.
 *
 * @internal
 */
import * as Context from "effect/Context"

/**
 * The kind of system, as Node names it (`darwin` is macOS): files are looked for in other folders on each. The layers for
 * Node say which it is; nobody else has to.
 *
 * @since 0.1.0
 * @category search
 */
export class System extends Context.Reference<System>()("@effect-manila/core/CloudsYaml/System", {
  defaultValue: (): string => "linux"
}) {}
