/**
 * A request that is turned down. Handlers are plain functions, so they throw it, and the router, the one place that
 * catches it, makes the service's error body of it.
 */

/** Not an `Error`: its stack would cost more than the whole request and tell nothing. */
export class Refusal {
  readonly status: number
  readonly error: unknown
  /** Members of the body beside `error` and `status`. */
  readonly more: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  constructor(
    status: number,
    error: unknown,
    more: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {}
  ) {
    this.status = status
    this.error = error
    this.more = more
    this.headers = headers
  }
}

export const refuse = (status: number, error: unknown): Refusal => new Refusal(status, error)

export const bodyOf = (status: number, error: unknown, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ error, status, ...more })
