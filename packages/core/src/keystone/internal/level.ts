/**
 * One level of a configuration (a cloud of the files, the variables, the values given) with every spelling of a setting
 * folded into one name, by openstacksdk's rules. Which of two levels wins is not decided here.
 *
 * @internal
 */
import type { Setting } from "./setting.ts"

/** Folded settings. A text that is empty means: not set, whatever a lower level says of another spelling. */
export type Level = ReadonlyMap<string, Setting>

interface Parts {
  readonly top: ReadonlyMap<string, Setting>
  readonly auth: ReadonlyMap<string, Setting>
}

/**
 * Settings of `auth` that openstacksdk folds early: the last spelling wins, and of one spelling the value beside `auth`
 * wins over the one inside.
 */
const early: Readonly<Record<string, ReadonlyArray<string>>> = {
  domain_id: ["domain_id"],
  domain_name: ["domain_name"],
  user_domain_id: ["user_domain_id"],
  user_domain_name: ["user_domain_name"],
  project_domain_id: ["project_domain_id"],
  project_domain_name: ["project_domain_name"],
  project_id: ["tenant_id", "project_id"],
  project_name: ["tenant_name", "project_name"],
  token: ["auth_token", "token"],
  passcode: ["passcode"]
}

/** The others: the first spelling wins; inside `auth` wins for openstacksdk, beside it for the `openstack` command. */
const late: Readonly<Record<string, ReadonlyArray<string>>> = {
  auth_url: ["auth_url"],
  username: ["username", "user_name"],
  user_id: ["user_id"],
  password: ["password"],
  application_credential_id: ["application_credential_id"],
  application_credential_name: ["application_credential_name"],
  application_credential_secret: ["application_credential_secret"],
  default_domain_id: ["default_domain_id"],
  default_domain_name: ["default_domain_name"],
  system_scope: ["system_scope"],
  trust_id: ["trust_id"],
  auth_methods: ["auth_methods"],
  endpoint: ["endpoint", "url"]
}

/** The share service's names, as settings are prefixed with them: the official one, then the older ones. */
const services = ["shared_file_system", "sharev2", "share"]

const perService = (suffix: string) => services.map((service) => `${service}_${suffix}`)

/** Settings beside `auth`, first spelling first. */
const beside: Readonly<Record<string, ReadonlyArray<string>>> = {
  auth_type: ["auth_type", "auth_plugin"],
  region_name: [...perService("region_name"), "region_name"],
  interface: [
    ...services.flatMap((service) => [`${service}_endpoint_type`, `${service}_interface`]),
    "endpoint_type",
    "interface"
  ],
  endpoint_override: [
    ...perService("endpoint_override"),
    ...perService("endpoint"),
    "endpoint_override",
    "manila_bypass_url",
    "manilaclient_bypass_url"
  ],
  microversion: [...perService("default_microversion"), ...perService("api_version")],
  verify: ["verify"],
  insecure: ["insecure"],
  cacert: ["cacert"],
  cert: ["cert"],
  key: ["key"],
  key_password: ["key_password"],
  profile: ["profile"],
  api_timeout: ["api_timeout"],
  identity_api_version: ["identity_api_version"],
  default_domain: ["default_domain"]
}

/** Every spelling of every setting there is: what is asked of the environment. */
export const spellings: ReadonlyArray<string> = [early, late, beside].flatMap((table) => Object.values(table).flat())

/** Spellings of what says who one is and where: variables with one of these names make up a cloud. */
export const identifying: ReadonlySet<string> = new Set([early, late].flatMap((table) => Object.values(table).flat()))

/** Folds the spellings. `besideWins` is the `openstack` command's order for the settings of `late`. */
export const fold = (parts: Parts, besideWins: boolean): Level => {
  const level = new Map<string, Setting>()
  for (const [name, names] of Object.entries(early)) {
    let found: Setting | undefined
    for (const spelling of names) found = parts.top.get(spelling) ?? parts.auth.get(spelling) ?? found
    if (found !== undefined) level.set(name, found)
  }
  for (const [name, names] of Object.entries(late)) {
    const inside = first(parts.auth, names)
    const outside = first(parts.top, names)
    const found = besideWins ? (filled(outside) ?? filled(inside)) : (filled(inside) ?? filled(outside))
    if (found !== undefined) level.set(name, found)
  }
  for (const [name, names] of Object.entries(beside)) {
    const found = names.map((spelling) => filled(parts.top.get(spelling))).find((value) => value !== undefined)
    if (found !== undefined) level.set(name, found)
  }
  return level
}

const filled = (setting: Setting | undefined) => (setting === undefined || setting.text === "" ? undefined : setting)

const first = (settings: ReadonlyMap<string, Setting>, names: ReadonlyArray<string>): Setting | undefined => {
  const name = names.find((spelling) => settings.has(spelling))
  return name === undefined ? undefined : settings.get(name)
}

/** An id and a name of the same thing: a nearer level that says one of them makes the other one void below. */
const pairs: ReadonlyArray<readonly [string, string]> = [
  ["user_id", "username"],
  ["user_domain_id", "user_domain_name"],
  ["project_id", "project_name"],
  ["project_domain_id", "project_domain_name"],
  ["domain_id", "domain_name"],
  ["default_domain_id", "default_domain_name"],
  ["application_credential_id", "application_credential_name"],
  ["insecure", "verify"]
]

/** Each is a scope of its own, and a token has one: a nearer level that says one of them makes the others void below. */
const scopes: ReadonlyArray<ReadonlyArray<string>> = [
  ["project_id", "project_name"],
  ["domain_id", "domain_name"],
  ["system_scope"],
  ["trust_id"]
]

/** `near` over `far`. Empty texts of `near` say nothing. */
export const over = (near: Level, far: Level): Level => {
  const merged = new Map(far)
  const said = new Map([...near].filter(([, setting]) => setting.text !== ""))
  for (const [one, other] of pairs) {
    if (said.has(one) || said.has(other)) {
      merged.delete(one)
      merged.delete(other)
    }
  }
  const scope = scopes.findIndex((names) => names.some((name) => said.has(name)))
  for (const [index, names] of scopes.entries()) {
    // A domain beside a project is the domain of both, and no scope.
    const goesTogether = scope <= 1 && index <= 1
    if (scope !== -1 && index !== scope && !goesTogether) for (const name of names) merged.delete(name)
  }
  for (const [name, setting] of said) merged.set(name, setting)
  return merged
}
