/**
 * Backups of shares (2.80, experimental): model, operations, probe, goals, verbs.
 *
 * @since 0.1.0
 */
export * from "./internal/backup/model.ts"
export * from "./internal/backup/wait.ts"
