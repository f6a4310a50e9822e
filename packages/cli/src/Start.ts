/**
 * What a program's `bin.ts` does: answers what needs no command at once, and loads one command's code otherwise.
 *
 * @since 0.1.0
 */
import type { AnyCommand } from "./Command.ts"
import { decide } from "./Entry.ts"
import type { Program } from "./Program.ts"
import type { Process } from "./Stdio.ts"

/** As `openstack` ends when the reader of its output is gone. */
const brokenPipe = 141

/**
 * Ends the process. `argv` is without Node's and the program's own names; `listing` are the commands that completion asks
 * for names, if they are not among the others.
 *
 * @since 0.1.0
 */
export const start = async (
  real: Process,
  argv: ReadonlyArray<string>,
  commands: ReadonlyArray<AnyCommand>,
  program: Program,
  listing = commands
): Promise<void> => {
  const [first, ...asked] = argv
  // A shell's question, at each press of a key: nothing is loaded for it but the commands' data.
  if (first === "__complete") {
    const { reply } = await import("./completion/Reply.ts")
    const answer = await reply(asked, real.env, program, commands, listing)
    real.stdout.on("error", () => undefined)
    await new Promise((resolve) => real.stdout.write(answer, resolve))
    real.exit(0)
    return
  }
  const decision = decide(
    argv,
    real.env,
    commands.map(({ spec }) => spec),
    program
  )
  if (decision._tag === "Print") {
    const { code, stderr, stdout } = decision
    // Without listeners an error of a stream ends the process with a stack trace; the callbacks below know it too.
    for (const stream of [real.stdout, real.stderr]) stream.on("error", () => undefined)
    const ended = (error: NodeJS.ErrnoException | null | undefined) =>
      real.exit(error?.code === "EPIPE" ? brokenPipe : error ? 1 : code)
    if (stderr === "") real.stdout.write(stdout, ended)
    else real.stderr.write(stderr, () => real.exit(code))
    return
  }
  const { spec } = decision
  const command = commands.find((command) => command.spec === spec)
  if (command === undefined) throw new Error(`no code for ${spec.words.join(" ")}`)
  const [{ main }, { run }] = await Promise.all([import("./Cli.ts"), command.load()])
  real.exit(await main(real, { spec, argv: decision.argv, run }))
}
