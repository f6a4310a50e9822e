/**
 * Shares: model, operations, probe, goals, and the asynchronous verbs as pairs of do and do-and-wait.
 *
 * @since 0.1.0
 */
export * from "./internal/share/model.ts"
export * from "./internal/share/operations.ts"
export * from "./internal/share/goals.ts"
export * from "./internal/share/verbs.ts"
