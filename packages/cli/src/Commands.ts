/**
 * Every command: its table, and the module with the code that runs it.
 *
 * @since 0.1.0
 */
import { type AnyCommand, command } from "./Command.ts"
import * as Complete from "./nouns/Complete.ts"
import * as Backup from "./nouns/Backup.ts"
import * as ExportLocation from "./nouns/ExportLocation.ts"
import * as Instance from "./nouns/Instance.ts"
import * as Manage from "./nouns/Manage.ts"
import * as Message from "./nouns/Message.ts"
import * as Replica from "./nouns/Replica.ts"
import * as Share from "./nouns/Share.ts"
import * as ShareAccess from "./nouns/ShareAccess.ts"
import * as ShareAction from "./nouns/ShareAction.ts"
import * as ShareType from "./nouns/ShareType.ts"
import * as Snapshot from "./nouns/Snapshot.ts"
import * as Wait from "./nouns/Wait.ts"
import type * as Spec from "./Spec.ts"

/**
 * In the order in which help lists them.
 *
 * @since 0.1.0
 */
export const all: ReadonlyArray<AnyCommand> = [
  command(Share.create, async () => ({ run: (await import("./commands/ShareChange.ts")).create })),
  command(Share.list, async () => ({ run: (await import("./commands/Share.ts")).list })),
  command(Share.show, async () => ({ run: (await import("./commands/Share.ts")).show })),
  command(Share.remove, async () => ({ run: (await import("./commands/ShareChange.ts")).remove })),
  command(Share.set, async () => ({ run: (await import("./commands/Share.ts")).set })),
  command(Share.unset, async () => ({ run: (await import("./commands/Share.ts")).unset })),
  command(ShareAction.resize, async () => ({ run: (await import("./commands/ShareChange.ts")).resize })),
  command(ShareAction.revert, async () => ({ run: (await import("./commands/ShareChange.ts")).revert })),
  command(ShareAction.restore, async () => ({ run: (await import("./commands/ShareChange.ts")).restore })),
  command(Manage.adopt, async () => ({ run: (await import("./commands/Manage.ts")).adopt })),
  command(Manage.abandon, async () => ({ run: (await import("./commands/Manage.ts")).abandon })),
  command(ShareAction.propertiesShow, async () => ({ run: (await import("./commands/Share.ts")).propertiesShow })),
  command(ShareAccess.create, async () => ({ run: (await import("./commands/ShareAccess.ts")).create })),
  command(ShareAccess.remove, async () => ({ run: (await import("./commands/ShareAccess.ts")).remove })),
  command(ShareAccess.list, async () => ({ run: (await import("./commands/ShareAccess.ts")).list })),
  command(ShareAccess.show, async () => ({ run: (await import("./commands/ShareAccess.ts")).show })),
  command(ShareAccess.set, async () => ({ run: (await import("./commands/ShareAccess.ts")).set })),
  command(ShareAccess.unset, async () => ({ run: (await import("./commands/ShareAccess.ts")).unset })),
  command(ExportLocation.list, async () => ({ run: (await import("./commands/ExportLocation.ts")).list })),
  command(ExportLocation.show, async () => ({ run: (await import("./commands/ExportLocation.ts")).show })),
  command(ExportLocation.set, async () => ({ run: (await import("./commands/ExportLocation.ts")).set })),
  command(ExportLocation.unset, async () => ({ run: (await import("./commands/ExportLocation.ts")).unset })),
  command(Snapshot.create, async () => ({ run: (await import("./commands/Snapshot.ts")).create })),
  command(Snapshot.remove, async () => ({ run: (await import("./commands/Snapshot.ts")).remove })),
  command(Snapshot.list, async () => ({ run: (await import("./commands/Snapshot.ts")).list })),
  command(Snapshot.show, async () => ({ run: (await import("./commands/Snapshot.ts")).show })),
  command(Snapshot.set, async () => ({ run: (await import("./commands/Snapshot.ts")).set })),
  command(Snapshot.unset, async () => ({ run: (await import("./commands/Snapshot.ts")).unset })),
  command(Manage.snapshotAdopt, async () => ({ run: (await import("./commands/Manage.ts")).snapshotAdopt })),
  command(Manage.snapshotAbandon, async () => ({ run: (await import("./commands/Manage.ts")).snapshotAbandon })),
  command(Instance.remove, async () => ({ run: (await import("./commands/Instance.ts")).remove })),
  command(Instance.list, async () => ({ run: (await import("./commands/Instance.ts")).list })),
  command(Instance.show, async () => ({ run: (await import("./commands/Instance.ts")).show })),
  command(Instance.set, async () => ({ run: (await import("./commands/Instance.ts")).set })),
  command(Instance.exportLocationList, async () => ({
    run: (await import("./commands/Instance.ts")).exportLocationList
  })),
  command(Instance.exportLocationShow, async () => ({
    run: (await import("./commands/Instance.ts")).exportLocationShow
  })),
  command(Replica.create, async () => ({ run: (await import("./commands/Replica.ts")).create })),
  command(Replica.remove, async () => ({ run: (await import("./commands/Replica.ts")).remove })),
  command(Replica.list, async () => ({ run: (await import("./commands/Replica.ts")).list })),
  command(Replica.show, async () => ({ run: (await import("./commands/Replica.ts")).show })),
  command(Replica.set, async () => ({ run: (await import("./commands/Replica.ts")).set })),
  command(Replica.unset, async () => ({ run: (await import("./commands/Replica.ts")).unset })),
  command(Replica.promote, async () => ({ run: (await import("./commands/Replica.ts")).promote })),
  command(Replica.resync, async () => ({ run: (await import("./commands/Replica.ts")).resync })),
  command(Replica.exportLocationList, async () => ({
    run: (await import("./commands/Replica.ts")).exportLocationList
  })),
  command(Replica.exportLocationShow, async () => ({
    run: (await import("./commands/Replica.ts")).exportLocationShow
  })),
  command(Backup.create, async () => ({ run: (await import("./commands/Backup.ts")).create })),
  command(Backup.remove, async () => ({ run: (await import("./commands/Backup.ts")).remove })),
  command(Backup.list, async () => ({ run: (await import("./commands/Backup.ts")).list })),
  command(Backup.show, async () => ({ run: (await import("./commands/Backup.ts")).show })),
  command(Backup.restore, async () => ({ run: (await import("./commands/Backup.ts")).restore })),
  command(Backup.set, async () => ({ run: (await import("./commands/Backup.ts")).set })),
  command(Backup.unset, async () => ({ run: (await import("./commands/Backup.ts")).unset })),
  command(Message.list, async () => ({ run: (await import("./commands/Message.ts")).list })),
  command(Message.show, async () => ({ run: (await import("./commands/Message.ts")).show })),
  command(Message.remove, async () => ({ run: (await import("./commands/Message.ts")).remove })),
  command(ShareType.list, async () => ({ run: (await import("./commands/ShareType.ts")).list })),
  command(ShareType.show, async () => ({ run: (await import("./commands/ShareType.ts")).show })),
  command(Wait.wait, async () => ({ run: (await import("./commands/Wait.ts")).run })),
  command(Complete.complete, async () => ({ run: (await import("./completion/Complete.ts")).run }))
]

/**
 * @since 0.1.0
 */
export const specs: ReadonlyArray<Spec.Spec> = all.map(({ spec }) => spec)
