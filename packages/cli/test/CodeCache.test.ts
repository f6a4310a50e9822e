/**
 * What was compiled is kept for the next time, and trusted only where nobody else can have written it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach } from "vitest"
import { open, type Process } from "@effect-manila/cli/CodeCache"

const root = fs.mkdtempSync(join(tmpdir(), "manila-code-"))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

let home = ""
let program = ""
let count = 0
beforeEach(() => {
  home = join(root, `home-${count++}`)
  fs.mkdirSync(home)
  program = join(home, "program-A1.cjs")
  fs.writeFileSync(program, `exports.answer = () => 6 * 7; exports.where = __filename; exports.fs = require("node:fs")`)
})

/** A process that ends with `code` when told to. */
const processOf = (changes: Partial<Process> = {}): Process & { readonly end: (code: number) => void } => {
  const listeners: Array<(code: number) => void> = []
  return {
    env: { HOME: home },
    version: process.version,
    arch: process.arch,
    platform: "linux",
    pid: 1,
    getuid: () => process.getuid?.() ?? 0,
    once: (_, listener) => listeners.push(listener),
    end: (code) => {
      for (const listener of listeners) listener(code)
    },
    ...changes
  }
}

interface Program {
  readonly answer: () => number
  readonly where: string
  readonly fs: typeof fs
}

/** Runs the program once, to its end, and says whether it would have kept what it compiled. */
const run = (changes: Partial<Process> = {}, code = 0): boolean => {
  let keeps = false
  const real = processOf(changes)
  const asked: Process = {
    ...real,
    once: (event, listener) => {
      keeps = true
      return real.once(event, listener)
    }
  }
  const { answer, fs: itsFs, where } = open<Program>(program, asked)
  assert.deepStrictEqual([answer(), where, itsFs.readFileSync === fs.readFileSync], [42, program, true])
  real.end(code)
  return keeps
}

const folder = () => join(home, ".cache", "effect-manila")
const kept = () => (fs.existsSync(folder()) ? fs.readdirSync(folder()) : [])
const file = () => join(folder(), kept()[0] ?? "")

describe("a cache of compiled code", () => {
  it("is left by the first run, for its user alone, and used by the second", () => {
    assert.isTrue(run())
    assert.deepStrictEqual(kept(), [`program-A1-${process.version}-${process.arch}.code`])
    assert.strictEqual(fs.statSync(folder()).mode & 0o777, 0o700)
    assert.strictEqual(fs.statSync(file()).mode & 0o777, 0o600)
    assert.isFalse(run())
  })

  it("is where XDG_CACHE_HOME says, if that is a whole path", () => {
    run({ env: { HOME: home, XDG_CACHE_HOME: join(home, "elsewhere") } })
    assert.deepStrictEqual(kept(), [])
    assert.lengthOf(fs.readdirSync(join(home, "elsewhere", "effect-manila")), 1)
    run({ env: { HOME: home, XDG_CACHE_HOME: "elsewhere" } })
    assert.lengthOf(kept(), 1)
  })

  it("is among the other caches on macOS", () => {
    run({ platform: "darwin" })
    assert.lengthOf(fs.readdirSync(join(home, "Library", "Caches", "effect-manila")), 1)
  })

  for (const [claim, changes] of [
    [
      "NODE_DISABLE_COMPILE_CACHE is set",
      {
        env: {
          NODE_DISABLE_COMPILE_CACHE: "1",
          get HOME() {
            return home
          }
        }
      }
    ],
    ["nobody's home is known", { env: {} }],
    ["files have no owners", { getuid: undefined }]
  ] as const) {
    it(`is neither read nor left where ${claim}`, () => {
      assert.isFalse(run(changes))
      assert.deepStrictEqual(kept(), [])
    })
  }

  it("is not left by a program that failed or was interrupted", () => {
    run({}, 3)
    run({}, 130)
    assert.deepStrictEqual(kept(), [])
  })

  it("is not taken from another Node", () => {
    run()
    assert.isTrue(run({ version: "v98.7.6" }))
    assert.lengthOf(kept(), 2)
  })

  it("is written anew where it is broken or of another program, which is no error", () => {
    run()
    const good = fs.readFileSync(file())
    for (const bad of [Buffer.from("nonsense"), good.subarray(0, 100), Buffer.alloc(0)]) {
      fs.writeFileSync(file(), bad)
      // From another place, for V8 still knows what it compiled in this process.
      const place = fs.mkdtempSync(join(home, "place-"))
      fs.copyFileSync(program, join(place, "program-A1.cjs"))
      program = join(place, "program-A1.cjs")
      assert.isTrue(run())
      assert.isFalse(run())
    }
  })

  it("gives way to that of the next release", () => {
    run()
    const next = join(home, "program-B2.cjs")
    fs.renameSync(program, next)
    program = next
    run()
    assert.deepStrictEqual(kept(), [`program-B2-${process.version}-${process.arch}.code`])
  })

  it("is not read where others can write, nor from another's file or folder, nor through a link", () => {
    run()
    const untrusted: ReadonlyArray<readonly [string, () => void, () => void]> = [
      ["file", () => fs.chmodSync(file(), 0o622), () => fs.chmodSync(file(), 0o600)],
      ["folder", () => fs.chmodSync(folder(), 0o770), () => fs.chmodSync(folder(), 0o700)],
      ["base", () => fs.chmodSync(join(home, ".cache"), 0o777), () => fs.chmodSync(join(home, ".cache"), 0o700)],
      [
        "link",
        () => {
          fs.renameSync(file(), join(home, "real"))
          fs.symlinkSync(join(home, "real"), join(folder(), `program-A1-${process.version}-${process.arch}.code`))
        },
        () => undefined
      ]
    ]
    for (const [what, spoil, mend] of untrusted) {
      spoil()
      // It ends badly, so that nothing is written anew.
      assert.isTrue(run({}, 1), what)
      mend()
    }
    fs.rmSync(file())
    run()
    assert.isTrue(run({ getuid: () => 4711 }, 1))
  })

  it("is not left where others can write, nor where there can be no folder", () => {
    fs.mkdirSync(folder(), { recursive: true })
    fs.chmodSync(folder(), 0o777)
    run()
    assert.deepStrictEqual(kept(), [])
    fs.rmSync(join(home, ".cache"), { recursive: true })
    fs.writeFileSync(join(home, ".cache"), "a file")
    run()
    assert.strictEqual(fs.readFileSync(join(home, ".cache"), "utf8"), "a file")
  })

  it("leaves a program's own errors as they are", () => {
    fs.writeFileSync(program, `throw new RangeError("its own")`)
    assert.throws(() => open(program, processOf()), RangeError, "its own")
  })
})
