/**
 * Everything of Manila, by module: `import { Manila, Share } from "@effect-manila/core"`.
 *
 * Each module can be imported alone too (`@effect-manila/core/manila/Share`), which loads less without a bundler. Those of
 * Shaken Fist always are (`@effect-manila/core/shakenfist/settle`).
 *
 * @since 0.1.0
 */
export * as Fault from "./http/Fault.ts"
export * as Transport from "./http/Transport.ts"
export * as CloudConfig from "./keystone/CloudConfig.ts"
export * as Keystone from "./keystone/Keystone.ts"
export * as KeystoneError from "./keystone/KeystoneError.ts"
export * as ExportLocation from "./manila/ExportLocation.ts"
export * as Find from "./manila/Find.ts"
export * as Manila from "./manila/Manila.ts"
export * as ManilaError from "./manila/ManilaError.ts"
export * as Message from "./manila/Message.ts"
export * as Microversion from "./manila/Microversion.ts"
export * as Operation from "./manila/Operation.ts"
export * as Share from "./manila/Share.ts"
export * as ShareAccess from "./manila/ShareAccess.ts"
export * as ShareGroup from "./manila/ShareGroup.ts"
export * as ShareNetwork from "./manila/ShareNetwork.ts"
export * as ShareType from "./manila/ShareType.ts"
export * as Snapshot from "./manila/Snapshot.ts"
export * as Verb from "./manila/Verb.ts"
export * as Deadline from "./waiter/Deadline.ts"
export * as Goal from "./waiter/Goal.ts"
export * as Pace from "./waiter/Pace.ts"
export * as Patience from "./waiter/Patience.ts"
export * as Progress from "./waiter/Progress.ts"
export * as StatusGoal from "./waiter/StatusGoal.ts"
export * as WaitError from "./waiter/WaitError.ts"
export * as Waiter from "./waiter/Waiter.ts"
