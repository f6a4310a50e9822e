/** What a broken or odd file is answered with: the file, the line, and never a secret. */
import * as CloudConfig from "@effect-manila/core/keystone/CloudConfig"
import * as CloudsYaml from "@effect-manila/core/keystone/CloudsYaml"
import * as NodePlatform from "@effect-manila/core/node/NodePlatform"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { platform } from "node:os"
import { cwd, home, load, type Machine, on, settingsOf } from "./support.ts"

const file = `${cwd}/clouds.yaml`
const secret = "hunter2secret"

const cloud = (lines: ReadonlyArray<string>) =>
  [
    "clouds:",
    "  a:",
    "    auth:",
    "      auth_url: https://a.example:5000/v3",
    "      username: u",
    `      password: ${secret}`,
    "      project_name: p",
    "      user_domain_id: default",
    "      project_domain_id: default",
    ...lines,
    ""
  ].join("\n")

const failure = (machine: Machine, options?: CloudConfig.LoadOptions) => Effect.flip(load(machine, options))

describe("a broken file names itself and the line", () => {
  const table: ReadonlyArray<readonly [string, string, number, RegExp]> = [
    ["a bracket left open", `clouds:\n  a:\n    auth: {password: ${secret}\n    x: 1\n`, 4, /not closed/],
    ["tabs", `clouds:\n  a:\n\tauth: ${secret}\n`, 3, /tabs/],
    ["two colons", `clouds:\n  a: b: ${secret}\n`, 2, /second `: `/],
    ["an @ without quotes", "clouds:\n  a:\n    auth:\n      password: @hunter2secret\n", 4, /needs quotes/],
    ["an alias without its anchor", "clouds:\n  a:\n    auth:\n      password: *hunter2secret\n", 4, /anchor/],
    ["wrong indentation", `clouds:\n  a:\n    auth:\n      password: ${secret}\n   region_name: R\n`, 5, /indentation/],
    ["an escape", `clouds:\n  a:\n    auth: {password: "\\q${secret}"}\n`, 3, /escape/],
    ["a list for the whole", `- ${secret}\n`, 1, /not a mapping/],
    ["a text for the whole", `${secret}\n`, 1, /not a mapping/],
    ["a list of clouds", `clouds:\n  - name: ${secret}\n`, 2, /clouds is not a mapping/],
    ["a cloud that is a text", `clouds:\n  a: ${secret}\n`, 2, /cloud a is not a mapping/],
    ["auth that is a text", `clouds:\n  a:\n    auth: ${secret}\n`, 3, /auth of cloud a is not a mapping/],
    ["regions that are a text", cloud(["    regions: R1"]), 10, /regions of cloud a is not a list/],
    ["a region without a name", cloud(["    regions:", "      - values: {}"]), 11, /needs a name/],
    ["a region with more", cloud(["    regions:", "      - R1", "      - {name: R2, x: 1}"]), 12, /nothing else/],
    ["an interface", cloud(["    interface: secret"]), 10, /public, internal, admin/],
    ["a version", cloud(["    share_api_version: two"]), 10, /2\.60/],
    ["a timeout", cloud(["    api_timeout: soon"]), 10, /api_timeout/],
    ["an override that is no URL", cloud(["    shared_file_system_endpoint_override: a.example"]), 10, /http/],
    ["an auth_type", cloud(["    auth_type: v3oidcpassword"]), 10, /v3password.*v3applicationcredential/],
    [
      "two scopes",
      cloud(["    system_scope: all"]),
      10,
      /one scope, and there are several: system_scope .*, project_name/
    ]
  ]
  for (const [what, text, line, reason] of table) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const error = yield* failure({ files: { [file]: text } })
        assert.strictEqual(error.file, file)
        assert.strictEqual(error.line, line)
        assert.match(error.message, reason)
        assert.isTrue(error.message.startsWith(`${file}:${line}: `))
        assert.notInclude(JSON.stringify(error) + error.message, secret)
      })
    )
  }

  it.effect("a broken secure.yaml too", () =>
    Effect.gen(function* () {
      const error = yield* failure({ files: { [file]: cloud([]), [`${home}/.config/openstack/secure.yaml`]: "a: [" } })
      assert.strictEqual(error.file, `${home}/.config/openstack/secure.yaml`)
      assert.strictEqual(error.line, 1)
    })
  )

  it.effect("a file that may not be read, before the next place is looked at", () =>
    Effect.gen(function* () {
      const error = yield* failure({
        forbidden: [file],
        files: { [`${home}/.config/openstack/clouds.yaml`]: cloud([]) }
      })
      assert.strictEqual(error.file, file)
      assert.match(error.message, /permission denied/)
    })
  )

  it.effect("even where the variables are enough", () =>
    Effect.gen(function* () {
      const error = yield* failure({ files: { [file]: "a: [" }, env: variables })
      assert.strictEqual(error.file, file)
    })
  )
})

const variables = {
  OS_AUTH_URL: "https://env.example/v3",
  OS_USERNAME: "env",
  OS_PASSWORD: "env, with a comma",
  OS_PROJECT_NAME: "env",
  OS_USER_DOMAIN_NAME: "Default",
  OS_PROJECT_DOMAIN_NAME: "Default"
}

const two = cloud([]) + cloud([]).replace("clouds:\n", "").replace("  a:", "  b:").replace("a.example", "b.example")

describe("which cloud", () => {
  it.effect("an unknown one is answered with the known ones", () =>
    Effect.gen(function* () {
      const error = yield* failure({ files: { [file]: two }, env: variables }, { cloud: "c" })
      assert.match(error.message, /no cloud named c; the known ones are: a, b, envvars/)
      assert.strictEqual(error.file, file)
    })
  )

  it.effect("where none is there, the places looked at are named", () =>
    Effect.gen(function* () {
      const error = yield* failure({ env: { OS_CLIENT_CONFIG_FILE: "/else/where.yaml" } })
      for (const path of [
        "/else/where.yaml",
        file,
        `${home}/.config/openstack/clouds.yaml`,
        "/etc/openstack/clouds.yaml"
      ]) {
        assert.include(error.message, path)
      }
      assert.match(error.message, /missing: auth_url, username or user_id, password/)
    })
  )

  it.effect("of several, with none named, is a question", () =>
    Effect.gen(function* () {
      const error = yield* failure({ files: { [file]: two } })
      assert.match(error.message, /no cloud is named; the known ones are: a, b \(set OS_CLOUD\)/)
    })
  )

  it.effect("variables that lack something say which variables they are, and which clouds there would be", () =>
    Effect.gen(function* () {
      const error = yield* failure({ files: { [file]: two }, env: { OS_USERNAME: "u", OS_PASSWORD: secret } })
      assert.match(error.message, /missing: auth_url, user_domain_name or user_domain_id/)
      assert.match(error.message, /made of the variables OS_USERNAME, OS_PASSWORD; set OS_CLOUD to use one of: a, b/)
      assert.notInclude(error.message, secret)
    })
  )

  it.effect("a cloud of a file is told apart from variables that are set beside it", () =>
    Effect.gen(function* () {
      const text = cloud([]).replace(/^ *password.*\n/m, "")
      const machine = { files: { [file]: text }, env: { OS_PASSWORD: "p", OS_CLOUD: "a" } }
      const error = yield* failure(machine)
      assert.match(error.message, /cloud a: missing: password .*OS_\* variables are not used for a cloud of a file/)
      assert.strictEqual(settingsOf(yield* load(machine, { environment: "overrides" }))["password"], "p")
    })
  )

  it.effect("a variable keeps its commas, spaces and dollars", () =>
    Effect.gen(function* () {
      const config = yield* load({ env: { ...variables, OS_PASSWORD: " a, b ,$c{d}  ~" } })
      assert.strictEqual(settingsOf(config)["password"], " a, b ,$c{d}  ~")
      assert.strictEqual(config.cloud, "envvars")
    })
  )

  it.effect("the files are searched for in openstacksdk's order", () =>
    Effect.gen(function* () {
      const env = { XDG_CONFIG_HOME: "/xdg", XDG_CONFIG_DIRS: "/one:/two", OS_CLIENT_CONFIG_FILE: "/named.yaml" }
      const paths = yield* on({ env })(CloudsYaml.candidates("clouds"))
      const folders = [cwd, "/xdg/openstack", `${home}/.config/openstack`, "/one/openstack", "/two/openstack"]
      assert.deepStrictEqual(paths, [
        "/named.yaml",
        ...[...folders, "/etc/openstack"].flatMap((folder) =>
          ["yaml", "yml", "json"].map((suffix) => `${folder}/clouds.${suffix}`)
        )
      ])
      assert.strictEqual((yield* on({ env })(CloudsYaml.candidates("secure")))[0], `${cwd}/secure.yaml`)
    })
  )

  /** What openstacksdk 4 with platformdirs 4 looks into, by kind of system. */
  const systems: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, ReadonlyArray<string>]> = [
    ["linux", {}, [`${home}/.config/openstack`, "/etc/xdg/openstack"]],
    ["freebsd", {}, [`${home}/.config/openstack`, "/etc/xdg/openstack"]],
    [
      "linux",
      { SNAP_REAL_HOME: "/real" },
      [`${home}/.config/openstack`, "/real/.config/openstack", "/etc/xdg/openstack"]
    ],
    [
      "darwin",
      {},
      [
        `${home}/Library/Application Support/openstack`,
        `${home}/.config/openstack`,
        "/Library/Application Support/openstack"
      ]
    ],
    [
      "darwin",
      { XDG_CONFIG_HOME: "/xdg", XDG_CONFIG_DIRS: "/one:/two" },
      ["/xdg/openstack", `${home}/.config/openstack`, "/one/openstack", "/two/openstack"]
    ],
    [
      "win32",
      { LOCALAPPDATA: "/local", PROGRAMDATA: "/data", XDG_CONFIG_HOME: "/xdg", XDG_CONFIG_DIRS: "/one" },
      ["/local/OpenStack/openstack", `${home}/.config/openstack`, "/data/OpenStack/openstack"]
    ]
  ]
  for (const [system, env, between] of systems) {
    it.effect(`on ${system} they are in the folders of that system, ${JSON.stringify(env)}`, () =>
      Effect.gen(function* () {
        const paths = yield* on({ env })(
          Effect.provideService(CloudsYaml.candidates("clouds"), CloudsYaml.System, system)
        )
        const folders = paths.filter((path) => path.endsWith("/clouds.yaml")).map((path) => path.slice(0, -12))
        assert.deepStrictEqual(folders, [cwd, ...between, "/etc/openstack"])
      })
    )
  }

  it.effect("the layers for Node say which system it is", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* CloudsYaml.System, platform())
    }).pipe(Effect.provide(NodePlatform.layer))
  )

  it.effect("the name of the variables' cloud can't be a file's too", () =>
    Effect.gen(function* () {
      const error = yield* failure({ files: { [file]: cloud([]) }, env: { ...variables, OS_CLOUD_NAME: "a" } })
      assert.match(error.message, /OS_CLOUD_NAME/)
    })
  )
})

describe("values", () => {
  it.effect("a ~ in front of a CA file is the home folder, elsewhere it stays", () =>
    Effect.gen(function* () {
      const ca = (path: string) =>
        Effect.map(load({ files: { [file]: cloud([`    cacert: ${path}`]) } }), ({ transport }) => transport.cacert)
      assert.strictEqual(yield* ca("~/ca.pem"), `${home}/ca.pem`)
      assert.strictEqual(yield* ca("/a/~/ca.pem"), "/a/~/ca.pem")
      assert.strictEqual(yield* ca("~other/ca.pem"), "~other/ca.pem")
    })
  )

  it.effect("insecure is true only where it says true", () =>
    Effect.gen(function* () {
      for (const [text, verify] of [
        ["insecure: true", false],
        ["insecure: yes", false],
        ['insecure: "True"', false],
        ['insecure: "yes"', true],
        ["insecure: 1", true],
        ["verify: false", false],
        ["verify: no", false],
        ['verify: "False"', false],
        ["verify: true", true]
      ] as const) {
        const { transport } = yield* load({ files: { [file]: cloud([`    ${text}`]) } })
        assert.strictEqual(transport.verify, verify, text)
      }
    })
  )

  it.effect("an explicit verify wins over the file's insecure", () =>
    Effect.gen(function* () {
      const { transport } = yield* load({ files: { [file]: cloud(["    insecure: true"]) } }, { verify: true })
      assert.isTrue(transport.verify)
    })
  )

  it.effect("of four variables for the endpoint the most special one wins, and what is given over all", () =>
    Effect.gen(function* () {
      const names = [
        "OS_SHARED_FILE_SYSTEM_ENDPOINT_OVERRIDE",
        "OS_ENDPOINT_OVERRIDE",
        "OS_MANILA_BYPASS_URL",
        "MANILACLIENT_BYPASS_URL"
      ]
      const url = (name: string) => `https://${name.toLowerCase().replaceAll("_", "-")}.example/v2`
      for (const environment of ["cloud", "overrides"] as const) {
        for (let from = 0; from < names.length; from++) {
          const env = { ...variables, ...Object.fromEntries(names.slice(from).map((name) => [name, url(name)])) }
          const name = names[from] ?? ""
          assert.strictEqual((yield* load({ env }, { environment })).endpointOverride, url(name))
          const given = yield* load({ env }, { environment, endpointOverride: "https://given.example" })
          assert.strictEqual(given.endpointOverride, "https://given.example")
        }
      }
    })
  )

  it.effect("auth_url may come with or without its version and slashes", () =>
    Effect.gen(function* () {
      for (const [said, url] of [
        ["https://a:5000", "https://a:5000/v3"],
        ["https://a:5000/", "https://a:5000/v3"],
        ["https://a:5000/v3", "https://a:5000/v3"],
        ["https://a:5000/v3/", "https://a:5000/v3"],
        ["https://a/identity", "https://a/identity/v3"],
        ["https://[::1]:5000//", "https://[::1]:5000/v3"]
      ] as const) {
        assert.strictEqual((yield* load({ env: { ...variables, OS_AUTH_URL: said } })).authUrl, url)
      }
      assert.match((yield* failure({ env: { ...variables, OS_AUTH_URL: "https://a/v2.0/" } })).message, /v2/)
    })
  )

  it.effect("a microversion is kept as written, and a major version alone asks for none", () =>
    Effect.gen(function* () {
      for (const [said, version] of [
        ["2.60", "2.60"],
        ["2.6", "2.6"],
        ["2.0", "2.0"],
        ["2", undefined],
        ["latest", undefined]
      ] as const) {
        const config = yield* load({ files: { [file]: cloud([`    share_api_version: ${said}`]) } })
        assert.strictEqual(config.microversion, version)
      }
    })
  )
})

describe("which way to authenticate", () => {
  const app = {
    OS_AUTH_URL: "https://a/v3",
    OS_APPLICATION_CREDENTIAL_ID: "i",
    OS_APPLICATION_CREDENTIAL_SECRET: secret
  }
  it.effect("an application credential takes no scope, and the places to look at are named", () =>
    Effect.gen(function* () {
      const error = yield* failure({ env: { ...app, OS_PROJECT_NAME: "p" } })
      assert.match(error.message, /takes no scope: remove project_name \(from OS_PROJECT_NAME\)/)
    })
  )

  it.effect("an application credential by name needs its user", () =>
    Effect.gen(function* () {
      const { OS_APPLICATION_CREDENTIAL_ID: _, ...env } = app
      const named = { ...env, OS_APPLICATION_CREDENTIAL_NAME: "n" }
      assert.match((yield* failure({ env })).message, /application_credential_name with its user/)
      assert.match((yield* failure({ env: named })).message, /missing: username or user_id/)
      const config = yield* load({ env: { ...named, OS_USER_ID: "u" } })
      assert.deepInclude(settingsOf(config), { application_credential_name: "n", user_id: "u" })
    })
  )

  it.effect("a token that is given is used, whatever the file would do", () =>
    Effect.gen(function* () {
      const config = yield* load({ files: { [file]: cloud(["    auth_type: v3password"]) } }, { token: secret })
      assert.strictEqual(config.credentials._tag, "Token")
    })
  )

  it.effect("a token loses the line break of the file it was in, and no header is broken by one", () =>
    Effect.gen(function* () {
      const env = { OS_AUTH_URL: "https://a", OS_TOKEN: `${secret}\n` }
      assert.strictEqual(settingsOf(yield* load({ env }))["token"], secret)
      const error = yield* failure({ env: { ...env, OS_TOKEN: `${secret}\nx` } })
      assert.match(error.message, /characters/)
      assert.notInclude(error.message, secret)
    })
  )

  it.effect("a token with an endpoint override needs no auth_url", () =>
    Effect.gen(function* () {
      const config = yield* load({ env: { OS_TOKEN: "t", OS_ENDPOINT_OVERRIDE: "https://m/v2" } })
      assert.isUndefined(config.authUrl)
      assert.match((yield* failure({ env: { OS_TOKEN: "t" } })).message, /missing: auth_url/)
    })
  )
})

describe("what is printed", () => {
  it.effect("has no secret in it, and says where each setting came from", () =>
    Effect.gen(function* () {
      const config = yield* load(
        {
          files: {
            [file]: cloud(["    region_name: R1"]).replace(/^ *password.*\n/m, ""),
            [`${cwd}/secure.yaml`]: `clouds: {a: {auth: {password: ${secret}}}}`
          },
          env: { OS_CACERT: "/ca.pem" }
        },
        { environment: "overrides", projectName: "mine" }
      )
      const lines = CloudConfig.describe(config)
      assert.include(lines, `password: *** (from ${cwd}/secure.yaml:1)`)
      assert.include(lines, `region_name: R1 (from ${file}:9)`)
      assert.include(lines, "cacert: /ca.pem (from OS_CACERT)")
      assert.include(lines, "project_name: mine (from given)")
      assert.notInclude(lines.join("\n") + JSON.stringify(config) + String(config.credentials), secret)
    })
  )
})
