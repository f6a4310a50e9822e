/**
 * One value of a configuration and where it was written.
 *
 * @internal
 */
export interface Setting {
  /** As written; of a list its items with commas. May be a secret: never printed. */
  readonly text: string
  /** Set where the file has a YAML boolean. */
  readonly boolean?: boolean | undefined
  /** Set where the file has a list. */
  readonly items?: ReadonlyArray<string> | undefined
  /** A path with a line, the name of a variable, or `given`. */
  readonly source: string
  readonly file?: string | undefined
  readonly line?: number | undefined
}
