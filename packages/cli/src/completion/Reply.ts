/**
 * A shell's question and the answer as its script reads it (see `Script`).
 *
 * `bash LINE BREAKS`, or the shell's name and the words, the last one being that of the cursor.
 *
 * @since 0.1.0
 */
import type { AnyCommand } from "../Command.ts"
import type { Program } from "../Program.ts"
import * as Answer from "./Answer.ts"
import * as Line from "./Line.ts"

/**
 * Asks the cloud for names only where a variable says so (`MANILA_COMPLETE_NAMES` for manila); only then anything but the
 * commands' data is loaded. `listing` are the commands to ask with, if some of them are no one else's.
 *
 * @since 0.1.0
 */
export const reply = async (
  [shell = "", ...args]: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>,
  program: Program,
  commands: ReadonlyArray<AnyCommand>,
  listing: ReadonlyArray<AnyCommand> = commands
): Promise<string> => {
  const [text = "", breaks = ""] = args
  const line = shell === "bash" ? Line.split(text, breaks, program.name) : undefined
  const current = line?.current ?? args[args.length - 1] ?? ""
  const words = line?.words ?? args.slice(0, -1)
  const specs = commands.map(({ spec }) => spec)
  const answer = Answer.answer({ words, current, program, specs })
  if (answer._tag === "Files") return ":files\n"
  const shown = answer._tag === "Candidates" ? answer.candidates : await named(answer, current, env, program, listing)
  return shown
    .map(({ help, value }) => {
      if (line !== undefined) return `${Line.insert(line, value)}\n`
      return help === undefined ? `${oneLine(value)}\n` : `${oneLine(value)}\t${oneLine(help)}\n`
    })
    .join("")
}

const oneLine = (text: string): string => text.replace(/[\t\r\n]+/g, " ")

const named = async (
  { before, kind, options }: Extract<Answer.Answer, { readonly _tag: "Names" }>,
  current: string,
  env: Readonly<Record<string, string | undefined>>,
  program: Program,
  commands: ReadonlyArray<AnyCommand>
): Promise<ReadonlyArray<Answer.Candidate>> => {
  if (!/^(1|true|yes|on)$/i.test(env[program.names.variable] ?? "")) return []
  const { main } = await import("./Names.ts")
  const names = await main(kind, current.slice(before.length), options, env, commands, program)
  return names.filter((name) => !/[\r\n]/.test(name)).map((name) => ({ value: `${before}${name}` }))
}
