/**
 * The program as a process: what can only be seen from outside.
 */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll } from "vitest"
import * as Bundle from "./support/bundle.ts"

let bundle: Bundle.Bundle
beforeAll(async () => {
  bundle = await Bundle.make()
}, 60_000)
afterAll(() => bundle.remove())

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const run = (argv: ReadonlyArray<string>, options: { readonly closeStdout?: boolean } = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle.entry("manila"), ...argv], {
      env: { PATH: process.env["PATH"] ?? "" },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    if (options.closeStdout === true) child.stdout.destroy()
    else child.stdout.on("data", (data: Buffer) => (stdout += data.toString()))
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

describe("what is loaded before a command is known", () => {
  it("is none of Effect, @effect/cli, the library, or any other package", () => {
    const inputs = bundle.sources("manila")
    assert.isAbove(inputs.length, 20)
    assert.deepStrictEqual(
      inputs.filter((input) => !/^(packages\/cli\/src\/|part:packages\/cli\/src\/|program:)/.test(input)),
      []
    )
    // Nor the code of any command, nor what runs one.
    assert.deepStrictEqual(
      inputs.filter((input) => /^packages\/cli\/src\/(commands\/|Build|Cli\.ts|Progress|Output|Stdio)/.test(input)),
      []
    )
  })
})

describe("the process", () => {
  it("answers --version and a usage error with their exit codes and streams", async () => {
    const version = await run(["--version"])
    assert.deepStrictEqual([version.code, version.stderr], [0, ""])
    assert.match(version.stdout, /^manila \d+\.\d+\.\d+\n$/)
    const usage = await run(["share", "create", "NFS", "x"])
    assert.deepStrictEqual([usage.code, usage.stdout], [2, ""])
    assert.match(usage.stderr, /^manila: <size> must be a whole number/)
  })

  it("ends quietly with 141 when nobody reads its output", async () => {
    const { code, stderr } = await run(["help", "options"], { closeStdout: true })
    assert.deepStrictEqual([code, stderr], [141, ""])
  })

  it("runs a command, which says what is wrong without a stack", async () => {
    const { code, stderr, stdout } = await run(["share", "show", "web", "--os-auth-url", "http://127.0.0.1:1/v3"])
    assert.strictEqual(stdout, "")
    assert.include([1, 6], code)
    assert.match(stderr, /^manila: [^\n]+\n$/)
  })
})

/** Starts a command against an identity service that never answers, and signals it once the request is there. */
const interrupted = async (signal: NodeJS.Signals): Promise<Ended & { readonly aborted: boolean }> => {
  let aborted = false
  const arrived = deferred()
  const server = createServer((request) => {
    request.on("close", () => {
      aborted = true
    })
    arrived.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const child = spawn(
    process.execPath,
    [bundle.entry("manila"), "share", "show", "web", "--os-auth-url", `http://127.0.0.1:${port}/v3`].concat([
      "--os-username",
      "u",
      "--os-password",
      "p",
      "--os-project-name",
      "x",
      "--os-default-domain",
      "default"
    ]),
    { env: { PATH: process.env["PATH"] ?? "" }, stdio: ["ignore", "pipe", "pipe"] }
  )
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()))
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
  const code = new Promise<number | null>((resolve) => child.on("close", resolve))
  await Promise.race([arrived.promise, code])
  child.kill(signal)
  const ended = await code
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return { code: ended, stdout, stderr, aborted }
}

const deferred = () => {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

describe("a signal", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const)("%s during a request ends the process with %i and drops the request", async (signal, code) => {
    const ended = await interrupted(signal)
    assert.deepStrictEqual([ended.code, ended.stdout, ended.aborted], [code, "", true], ended.stderr)
  })
})
