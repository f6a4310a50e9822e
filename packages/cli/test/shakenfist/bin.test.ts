/**
 * The program as a process, beside `manila` in one bundle.
 */
import { build, type Metafile } from "esbuild"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const source = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "shakenfist-wait-"))
let metafile: Metafile

beforeAll(async () => {
  const result = await build({
    entryPoints: { manila: source("bin.ts"), "shakenfist-wait": source("shakenfist/bin.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@effect-manila/source"],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    metafile: true
  })
  metafile = result.metafile
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The sources that a program reads: at its start, or ever. */
const inputsOf = (entry: string, kinds: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { outputs } = metafile
  const queue = Object.keys(outputs).filter((name) => outputs[name]?.entryPoint?.endsWith(entry) === true)
  assert.strictEqual(queue.length, 1)
  const seen = new Set<string>()
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    for (const { external, kind, path } of outputs[name]?.imports ?? []) {
      if (external !== true && kinds.includes(kind)) queue.push(path)
    }
  }
  return [...seen].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}))
}

const run = (argv: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, "shakenfist-wait.mjs"), ...argv], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()))
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

describe("what is loaded", () => {
  const everything = ["import-statement", "dynamic-import"]

  it("before a command is known is the commands' data alone", () => {
    const inputs = inputsOf("src/shakenfist/bin.ts", ["import-statement"])
    assert.isAbove(inputs.length, 20)
    assert.deepStrictEqual(
      inputs.filter((input) =>
        /node_modules|packages\/core|(Build|Cli|Progress|Output|Stdio|Settle|Await)\.ts$/.test(input)
      ),
      []
    )
  })

  it("by the one program is nothing of the other's cloud", () => {
    const ours = inputsOf("src/shakenfist/bin.ts", everything)
    assert.isTrue(ours.some((input) => input.includes("core/src/shakenfist/settle")))
    assert.deepStrictEqual(
      ours.filter((input) => /core\/src\/(manila|keystone)\//.test(input)),
      []
    )
    const theirs = inputsOf("src/bin.ts", everything)
    assert.isTrue(theirs.some((input) => input.includes("core/src/manila/Share")))
    assert.deepStrictEqual(
      theirs.filter((input) => /core\/src\/shakenfist\//.test(input)),
      []
    )
  })
})

describe("the process", () => {
  it("answers --version, and a usage error with 2", async () => {
    const version = await run(["--version"])
    assert.match(version.stdout, /^shakenfist-wait \d+\.\d+\.\d+\n$/)
    assert.deepStrictEqual([version.code, version.stderr], [0, ""])
    const usage = await run(["settle", "share", "x"])
    assert.deepStrictEqual([usage.code, usage.stdout], [2, ""])
    assert.match(usage.stderr, /^shakenfist-wait: <kind> must be instance, network or artifact/)
  })

  it("asks with a body on GET, over a socket", async () => {
    const asked: Array<string> = []
    const answer = (request: IncomingMessage, response: ServerResponse, body: string) => {
      asked.push(`${request.method} ${request.url} ${body}`)
      const json = { "content-type": "application/json" }
      if (request.url === "/") response.writeHead(200, { "content-type": "text/html" }).end("network-clusteroperations")
      else if (request.url === "/auth") response.writeHead(200, json).end(`{"access_token":"t"}`)
      else response.writeHead(200, json).end("[]")
    }
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (data: Buffer) => (body += data.toString()))
      request.on("end", () => answer(request, response, body))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const ended = await run(["operations", "list", "network", "lan", "--all", "-f", "json"], {
      SHAKENFIST_API_URL: `http://127.0.0.1:${port}`,
      SHAKENFIST_NAMESPACE: "system",
      SHAKENFIST_KEY: "k"
    })
    await new Promise((resolve) => server.close(resolve))
    assert.deepStrictEqual([ended.code, ended.stdout, ended.stderr], [0, "[]\n", ""])
    assert.deepStrictEqual(asked, [
      "GET / ",
      `POST /auth {"key":"k","namespace":"system"}`,
      `GET /networks/lan/clusteroperations {"all":true}`
    ])
  })
})
