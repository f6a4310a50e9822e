#!/usr/bin/env node
/**
 * The program `manila`. Answers what needs no command at once, and loads one command's code otherwise.
 *
 * @since 0.1.0
 */
import { all, specs } from "./Commands.ts"
import { decide } from "./Entry.ts"

/** As `openstack` ends when the reader of its output is gone. */
const brokenPipe = 141

const decision = decide(process.argv.slice(2), process.env, specs)

if (decision._tag === "Print") {
  const { code, stderr, stdout } = decision
  // Without listeners an error of a stream ends the process with a stack trace; the callbacks below know it too.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
  const ended = (error: NodeJS.ErrnoException | null | undefined) =>
    process.exit(error?.code === "EPIPE" ? brokenPipe : error ? 1 : code)
  if (stderr === "") process.stdout.write(stdout, ended)
  else process.stderr.write(stderr, () => process.exit(code))
} else {
  const { argv, spec } = decision
  const command = all.find((command) => command.spec === spec)
  if (command === undefined) throw new Error(`no code for ${spec.words.join(" ")}`)
  const [{ main }, { run }] = await Promise.all([import("./Cli.ts"), command.load()])
  process.exit(await main(process, { spec, argv, run }))
}
