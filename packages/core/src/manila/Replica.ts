/**
 * Replicas of shares (2.11): model, operations, probe, goals, verbs.
 *
 * @since 0.1.0
 */
export * from "./internal/replica/model.ts"
export * from "./internal/replica/wait.ts"
