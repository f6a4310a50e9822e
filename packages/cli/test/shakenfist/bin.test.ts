/**
 * The program as a process, beside `manila` in one bundle.
 */
import { spawn } from "node:child_process"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Bundle from "../support/bundle.ts"

let bundle: Bundle.Bundle
beforeAll(async () => {
  bundle = await Bundle.make()
}, 60_000)
afterAll(() => bundle.remove())

const run = (argv: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [bundle.entry("shakenfist-wait"), ...argv], {
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

/** Parts are what the entry asks the program for, by their paths. */
const reachable = (source: string) =>
  bundle.reachable(source).flatMap((name) => (name.startsWith("part:") ? bundle.reachable(name.slice(5)) : [name]))

describe("what is loaded", () => {
  it("before a command is known is the commands' data alone", () => {
    const inputs = bundle.sources("shakenfist-wait")
    assert.isAbove(inputs.length, 20)
    assert.deepStrictEqual(
      inputs.filter((input) =>
        /^(?!part:)(.*node_modules|packages\/core|.*(Build|Cli|Progress|Output|Stdio|Settle|Await)\.ts$)/.test(input)
      ),
      []
    )
  })

  it("by the one program is nothing of the other's cloud", () => {
    const ours = reachable("packages/cli/src/shakenfist/bin.ts")
    assert.isTrue(ours.some((input) => input.includes("core/src/shakenfist/settle")))
    assert.deepStrictEqual(
      ours.filter((input) => /core\/src\/(manila|keystone)\//.test(input)),
      []
    )
    const theirs = reachable("packages/cli/src/bin.ts")
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
