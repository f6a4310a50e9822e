/**
 * `fake-cloud` as a process. What needs no process is in BinParts.test.ts.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `fake-cloud` to its end; `use` may talk to it meanwhile. */
const fakeCloud = (
  args: ReadonlyArray<string>,
  use: (child: ChildProcessWithoutNullStreams, stdout: () => string) => void = (child) => child.stdin.end()
): Effect.Effect<Ended> =>
  Effect.async((resume) => {
    const child = spawn(process.execPath, ["--conditions=@effect-manila/source", "--import", "tsx", bin, ...args], {
      env: { ...process.env, OS_CLOUD: "another", OS_TOKEN: "another" }
    })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.on("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
    use(child, () => stdout)
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const node = (script: string) => ["--", process.execPath, "--input-type=module", "-e", script]

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "fake-cloud-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const script = `
  process.stdin.on("data", (chunk) => process.stdout.write("stdin: " + chunk))
  await new Promise((end) => process.stdin.on("end", end))
  console.log(JSON.stringify(Object.keys(process.env).filter((name) => name.startsWith("OS_")).sort()))
  const send = (url, init) => fetch(url, init).then(async (answer) => [answer.status, await answer.text()])
  const { OS_AUTH_URL, OS_USERNAME, OS_PASSWORD, OS_PROJECT_NAME } = process.env
  const domain = { id: "default" }
  const auth = {
    identity: { methods: ["password"], password: { user: { name: OS_USERNAME, password: OS_PASSWORD, domain } } },
    scope: { project: { name: OS_PROJECT_NAME, domain } }
  }
  const answer = await fetch(OS_AUTH_URL + "/auth/tokens", { method: "POST", body: JSON.stringify({ auth }) })
  const headers = { "x-auth-token": answer.headers.get("x-subject-token"), "x-openstack-manila-api-version": "2.63" }
  const { catalog } = (await answer.json()).token
  const { endpoints } = catalog.find(({ type }) => type === "sharev2")
  const url = endpoints.find((endpoint) => endpoint.interface === "public").url + "/shares"
  const body = JSON.stringify({ share: { size: 1, share_proto: "NFS" } })
  const post = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body }
  console.log((await send(url, post))[0])
  const { share } = JSON.parse((await send(url, post))[1])
  const status = async () => JSON.parse((await send(url + "/" + share.id, { headers }))[1]).share.status
  while ((await status()) === share.status) await new Promise((go) => setTimeout(go, 20))
  console.log(share.status, await status())
  process.exit(9)
`

/** A process takes about a second, and more on a busy machine. */
const slow = { timeout: 30_000 }

describe("fake-cloud", () => {
  it.live(
    "a command sees a cloud of the plan, on a clock of the speed, and notices nothing else",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const plan = join(path, "plan.json")
        const journal = join(path, "journal.jsonl")
        writeFileSync(
          plan,
          JSON.stringify({
            lifecycles: { "share.create": [["creating", "10 minutes"], "available"] },
            faults: [{ method: "POST", path: "shares", nth: 1, status: 503 }],
            speed: 2
          })
        )
        const args = ["--plan", plan, "--journal", journal, "--speed", "1200", ...node(script)]
        const ended = yield* fakeCloud(args, (child) => child.stdin.end("hello\n"))
        assert.strictEqual(ended.stderr, "")
        assert.deepStrictEqual(ended.stdout.split("\n"), [
          "stdin: hello",
          '["OS_AUTH_URL","OS_IDENTITY_API_VERSION","OS_PASSWORD","OS_PROJECT_DOMAIN_NAME","OS_PROJECT_NAME",' +
            '"OS_REGION_NAME","OS_USERNAME","OS_USER_DOMAIN_NAME"]',
          "503",
          "creating available",
          ""
        ])
        assert.strictEqual(ended.code, 9)
        const lines = readFileSync(journal, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
        assert.deepStrictEqual(Object.keys(lines[0]), ["time", "method", "path", "query", "status", "microversion"])
        assert.deepInclude(lines[0], {
          method: "POST",
          path: "/identity/v3/auth/tokens",
          status: 201,
          microversion: null
        })
        assert.deepInclude(lines[1], { method: "POST", status: 503, microversion: "2.63" })
        assert.isAtLeast(Date.parse(lines.at(-1).time) - Date.parse(lines[2].time), 600_000)
      }).pipe(Effect.scoped),
    slow
  )

  it.live(
    "without a command it says how to connect, serves, and ends on a signal",
    () =>
      Effect.gen(function* () {
        let status = 0
        const ended = yield* fakeCloud(["--speed=10"], (child, stdout) => {
          child.stdout.on("data", () => {
            const url = /OS_AUTH_URL=(\S+)/.exec(stdout())?.[1]
            if (url === undefined || status !== 0) return
            status = 1
            void fetch(url).then((answer) => {
              status = answer.status
              child.kill("SIGTERM")
            })
          })
        })
        assert.strictEqual(status, 200)
        assert.strictEqual(ended.code, 143)
        assert.match(
          ended.stdout,
          /^# A fake cloud at http:\/\/127.0.0.1:\d+, its clock 10 times as fast; Ctrl-C ends it/
        )
        assert.match(ended.stdout, /^unset OS_CLOUD\nexport OS_AUTH_URL=/m)
      }),
    slow
  )

  it.live(
    "a signal reaches the command, and the command's ending is ours",
    () =>
      Effect.gen(function* () {
        const command = `process.on("SIGTERM", () => process.exit(5)); setInterval(() => {}, 1000); console.log("up")`
        const ended = yield* fakeCloud(node(command), (child) => child.stdout.once("data", () => child.kill("SIGTERM")))
        assert.deepStrictEqual([ended.code, ended.stdout], [5, "up\n"])
      }),
    slow
  )

  it.live(
    "what is wrong with a plan is told before anything starts",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const plan = join(path, "plan.json")
        writeFileSync(plan, '{ "faults": [{ "pth": "x", "reset": true }], "speed": 0 }')
        const ended = yield* fakeCloud(["--plan", plan, ...node("console.log(1)")])
        assert.deepStrictEqual(ended, {
          code: 2,
          stdout: "",
          stderr:
            `fake-cloud: ${plan}: faults[0].pth: nothing is called pth there; did you mean path?\n` +
            `fake-cloud: ${plan}: speed: must be a number above 0\n`
        })
      }).pipe(Effect.scoped),
    slow
  )
})
