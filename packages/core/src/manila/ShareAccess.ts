/**
 * Access rules of a share: model, operations, probe, goals, verbs.
 *
 * @since 0.1.0
 */
export * from "./internal/access/model.ts"
export * from "./internal/access/wait.ts"
