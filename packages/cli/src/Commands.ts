/**
 * Every command: its table, and the module with the code that runs it.
 *
 * @since 0.1.0
 */
import { type AnyCommand, command } from "./Command.ts"
import * as ExportLocation from "./nouns/ExportLocation.ts"
import * as Message from "./nouns/Message.ts"
import * as Share from "./nouns/Share.ts"
import * as ShareAccess from "./nouns/ShareAccess.ts"
import * as ShareAction from "./nouns/ShareAction.ts"
import * as ShareType from "./nouns/ShareType.ts"
import * as Snapshot from "./nouns/Snapshot.ts"
import * as Wait from "./nouns/Wait.ts"
import type * as Spec from "./Spec.ts"

const unplugged = () => import("./commands/unplugged.ts")

/**
 * In the order in which help lists them.
 *
 * @since 0.1.0
 */
export const all: ReadonlyArray<AnyCommand> = [
  command(Share.create, unplugged),
  command(Share.list, unplugged),
  command(Share.show, unplugged),
  command(Share.remove, unplugged),
  command(Share.set, unplugged),
  command(Share.unset, unplugged),
  command(ShareAction.resize, unplugged),
  command(ShareAction.revert, unplugged),
  command(ShareAction.restore, unplugged),
  command(ShareAction.propertiesShow, unplugged),
  command(ShareAccess.create, unplugged),
  command(ShareAccess.remove, unplugged),
  command(ShareAccess.list, unplugged),
  command(ShareAccess.show, unplugged),
  command(ShareAccess.set, unplugged),
  command(ShareAccess.unset, unplugged),
  command(ExportLocation.list, unplugged),
  command(ExportLocation.show, unplugged),
  command(Snapshot.create, unplugged),
  command(Snapshot.remove, unplugged),
  command(Snapshot.list, unplugged),
  command(Snapshot.show, unplugged),
  command(Snapshot.set, unplugged),
  command(Snapshot.unset, unplugged),
  command(Message.list, unplugged),
  command(Message.show, unplugged),
  command(Message.remove, unplugged),
  command(ShareType.list, unplugged),
  command(ShareType.show, unplugged),
  command(Wait.wait, unplugged)
]

/**
 * @since 0.1.0
 */
export const specs: ReadonlyArray<Spec.Spec> = all.map(({ spec }) => spec)
