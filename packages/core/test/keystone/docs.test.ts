/** Every cloud of docs/clouds.md is read, and comes to what the document says of it. */
import type { Credentials } from "@effect-manila/core/keystone/Credentials"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { cwd, load, settingsOf } from "./support.ts"

const page = readFileSync(new URL("../../../../docs/clouds.md", import.meta.url), "utf8")

const blocks = (info: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text = ""]) => text)

const secure = blocks("yaml secure").join("")
const profiles = blocks("yaml profiles").join("")

/** Credentials, scope, and one setting of each cloud of the document. */
const clouds: Readonly<Record<string, readonly [Credentials["_tag"], string, Readonly<Record<string, string>>]>> = {
  mycloud: ["Password", "Project", { password: "a secret", region_name: "RegionOne" }],
  robot: ["ApplicationCredential", "none", { auth_url: "https://identity.example.com:5000/v3" }],
  borrowed: ["Token", "Project", { token: "gAAAAABexample" }],
  device: ["Totp", "Project", { passcode: "012345" }],
  guarded: ["MultiFactor", "Project", { passcode: "012345", password: "a secret" }],
  alone: ["NoAuth", "Project", { endpoint_override: "http://share.example.com:8786/v2", username: "demo" }],
  operator: ["Password", "System", { system_scope: "all" }],
  deputy: ["Password", "Trust", { trust_id: "22977eaa2e1e4f3d832285f0a5db5fa6" }],
  public: ["Password", "Project", { auth_url: "https://north.example.com:5000/v3" }]
}

describe("the document's clouds", () => {
  const found = blocks("yaml").flatMap((text) =>
    [...text.matchAll(/^ {2}(\w+):$/gm)].map(([, name = ""]) => ({ name, text }))
  )

  it("are all looked at", () => {
    assert.deepStrictEqual(
      found.map(({ name }) => name),
      Object.keys(clouds)
    )
  })

  for (const { name, text } of found) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const files = {
          [`${cwd}/clouds.yaml`]: text,
          [`${cwd}/clouds-public.yaml`]: profiles,
          ...(name === "mycloud" ? { [`${cwd}/secure.yaml`]: secure } : {})
        }
        const config = yield* load({ files }, { cloud: name })
        const { credentials } = config
        const [tag, scope, settings] = clouds[name] ?? assert.fail(name)
        assert.deepStrictEqual(
          [credentials._tag, "scope" in credentials ? credentials.scope._tag : "none"],
          [tag, scope]
        )
        assert.deepInclude(settingsOf(config), settings)
      })
    )
  }
})

describe("the document's variables", () => {
  const found = blocks("sh").map((text) =>
    Object.fromEntries(
      [...text.matchAll(/^export (\w+)='?([^'\n]*)'?$/gm)].map(([, key = "", value = ""]) => [key, value])
    )
  )
  const expected = [
    ["Password", { username: "demo", password: "a secret", project_name: "demo" }],
    ["Token", { token: "gAAAAABexample", endpoint_override: "https://share.example.com:8786/v2" }]
  ] as const

  for (const [index, [tag, settings]] of expected.entries()) {
    it.effect(`make up a cloud: ${tag}`, () =>
      Effect.gen(function* () {
        assert.lengthOf(found, expected.length)
        const config = yield* load({ env: found[index] ?? {} })
        assert.deepStrictEqual([config.cloud, config.credentials._tag], ["envvars", tag])
        assert.deepInclude(settingsOf(config), settings)
      })
    )
  }
})
