/**
 * The command line of `fake-cloud`.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"

export interface Arguments {
  /** `shakenfist` serves the other cloud. */
  readonly mode: "serve" | "shakenfist" | "help" | "version"
  readonly port: number
  readonly plan: string | undefined
  readonly journal: string | undefined
  readonly speed: number | undefined
  /** What stands behind `--`. */
  readonly command: ReadonlyArray<string>
}

export const usage = `Usage: fake-cloud [OPTION…] [-- COMMAND [ARGUMENT…]]

Serves a fake OpenStack cloud (Keystone and Manila) on a loopback port, or a fake Shaken Fist cluster.

With a command: runs it with the OS_* (SHAKENFIST_*) variables of the cloud, and ends when it ends, with its exit code.
Without one: says how to connect, and serves until it is interrupted.

Options:
  --port N        the port to listen on; default a free one
  --plan FILE     what the cloud does, as JSON: see docs/fake-cloud.md
  --journal FILE  writes one JSON line for every request
  --speed X       runs the cloud's clock X times as fast as the wall clock; default 1
  --shakenfist    serves a Shaken Fist cluster instead
  --help          shows this
  --version       shows the version

Exit codes: that of the command, or 128 + n if signal n ended it; 127 if it isn't there, 126 if it can't be run;
1 if the cloud couldn't start; 2 if the command line or the plan is wrong.
`

const names = ["port", "plan", "journal", "speed"] as const
type Name = (typeof names)[number]

/**
 * Reads the words after the program's name. A mistake is one sentence. Of an option given twice, the last one counts.
 */
export const parse = (argv: ReadonlyArray<string>): Either.Either<Arguments, string> => {
  const given: { [N in Name]?: string } = {}
  let mode: Arguments["mode"] = "serve"
  let command: ReadonlyArray<string> = []
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!
    if (word === "--") {
      command = argv.slice(i + 1)
      if (command.length === 0) return Either.left("a command belongs behind --")
      break
    }
    if (word === "--help" || word === "-h") return Either.right({ ...nothing, mode: "help" })
    if (word === "--version") {
      mode = "version"
      continue
    }
    if (word === "--shakenfist") {
      if (mode === "serve") mode = "shakenfist"
      continue
    }
    if (!word.startsWith("-")) return Either.left(`a command comes behind --, as in: fake-cloud -- ${word}`)
    const equals = word.indexOf("=")
    const option = equals === -1 ? word : word.slice(0, equals)
    const name = names.find((name) => `--${name}` === option)
    if (name === undefined) return Either.left(`there is no option ${option}; fake-cloud --help lists them`)
    const value = equals === -1 ? argv[++i] : word.slice(equals + 1)
    if (value === undefined || value === "" || value === "--") return Either.left(`${option} needs a value`)
    given[name] = value
  }
  const port = Number(given.port ?? 0)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return Either.left(`--port must be a number from 0 to 65535, not ${given.port}`)
  }
  const speed = given.speed === undefined ? undefined : Number(given.speed)
  if (speed !== undefined && !(speed > 0 && Number.isFinite(speed))) {
    return Either.left(`--speed must be a number above 0, not ${given.speed}`)
  }
  return Either.right({ mode, port, plan: given.plan, journal: given.journal, speed, command })
}

const nothing: Arguments = {
  mode: "serve",
  port: 0,
  plan: undefined,
  journal: undefined,
  speed: undefined,
  command: []
}
