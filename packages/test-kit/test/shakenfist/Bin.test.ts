/** `fake-cloud --shakenfist` as a process, and what its command line makes of it. */
import * as Arguments from "../../src/internal/bin/Arguments.js"
import * as Environment from "../../src/internal/bin/Environment.js"
import * as Either from "effect/Either"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url))

const script = `
  import { request } from "node:http"
  const { SHAKENFIST_API_URL: url, SHAKENFIST_NAMESPACE: namespace, SHAKENFIST_KEY: key, ...rest } = process.env
  console.log(Object.keys(rest).filter((name) => /^(OS|SHAKENFIST)_/.test(name)).join())
  const ask = (method, path, body, headers = {}) => new Promise((done) => {
    const text = body === undefined ? "" : JSON.stringify(body)
    request(url + path, { method, headers: { accept: "*/*", "content-length": text.length, ...headers } }, (answer) => {
      let said = ""
      answer.on("data", (chunk) => (said += chunk))
      answer.on("end", () => done([answer.statusCode, said]))
    }).end(text)
  })
  const [, page] = await ask("GET", "/")
  console.log(page.includes("object-pending-operations"))
  const [, login] = await ask("POST", "/auth", { namespace, key })
  const headers = { authorization: "Bearer " + JSON.parse(login).access_token }
  const [, made] = await ask("POST", "/networks", { name: "n", netblock: "10.3.0.0/24" }, headers)
  const { uuid } = JSON.parse(made)
  const pending = async () => JSON.parse((await ask("GET", "/networks/" + uuid, undefined, headers))[1]).has_pending_operations
  console.log(await pending())
  while (await pending()) await new Promise((go) => setTimeout(go, 10))
  const [, listed] = await ask("GET", "/networks/" + uuid + "/clusteroperations", { all: true }, headers)
  console.log(JSON.parse(listed).map(({ state }) => state).join())
  process.exit(7)
`

describe("fake-cloud --shakenfist", () => {
  it("runs a command with the cluster's variables, on a clock of the speed", async () => {
    const args = ["--shakenfist", "--speed", "60", "--", process.execPath, "--input-type=module", "-e", script]
    const ended = await new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = spawn(process.execPath, ["--conditions=@effect-manila/source", "--import", "tsx", bin, ...args], {
        env: { ...process.env, OS_CLOUD: "another", SHAKENFIST_ASYNC: "another" }
      })
      let stdout = ""
      let stderr = ""
      child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
      child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
      child.on("close", (code) => resolve({ code, stdout, stderr }))
      child.stdin.end()
    })
    assert.deepStrictEqual(ended, { code: 7, stdout: "\ntrue\ntrue\ncomplete\n", stderr: "" })
  }, 30_000)

  it("takes a plan, and gives way to --help and --version", () => {
    const parse = (line: string) => Arguments.parse(line.split(" "))
    assert.strictEqual(Either.getOrThrow(parse("--shakenfist")).mode, "shakenfist")
    assert.strictEqual(Either.getOrThrow(parse("--shakenfist --plan x")).plan, "x")
    assert.strictEqual(Either.getOrThrow(parse("--shakenfist --help")).mode, "help")
    assert.strictEqual(Either.getOrThrow(parse("--version --shakenfist")).mode, "version")
    assert.strictEqual(Either.getOrThrow(parse("--shakenfist --version")).mode, "version")
  })

  it("its lines for a shell say nothing of the other cloud", () => {
    const variables = { SHAKENFIST_API_URL: "http://127.0.0.1:1", SHAKENFIST_KEY: "k" }
    assert.strictEqual(
      Environment.exports(variables),
      "export SHAKENFIST_API_URL=http://127.0.0.1:1\nexport SHAKENFIST_KEY=k"
    )
  })
})
