/**
 * Snapshots: model, operations, probe, goals, verbs.
 *
 * @since 0.1.0
 */
export * from "./internal/snapshot/model.ts"
export * from "./internal/snapshot/wait.ts"
