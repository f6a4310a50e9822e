/**
 * Share instances (2.3): what a share is made of on the back ends. Most shares have one, a replicated share has one for
 * each replica, and a share that is being migrated has two. For administrators.
 *
 * @since 0.1.0
 */
export * from "./internal/instance/model.ts"
export * from "./internal/instance/wait.ts"
