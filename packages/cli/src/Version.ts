/**
 * The version, written down so that `--version` reads no file. A test holds it to package.json.
 *
 * @since 0.1.0
 */
export const version = "0.0.0"
