/**
 * The options of every command, before, between or after its words: which cloud, as whom, how much to say.
 *
 * @since 0.1.0
 */
import type { Option, OptionValue } from "../Spec.ts"

const text = (name: string, metavar: string, help: string) =>
  ({ flags: [`--os-${name}`], type: "string", metavar, help }) as const

const secret = (name: string, help: string) =>
  ({ flags: [`--os-${name}`], type: "string", metavar: name, help, secret: true }) as const

/**
 * Which cloud, and as whom. Each has its `OS_*` variable, which the configuration reads.
 *
 * @since 0.1.0
 */
export const cloud = {
  osCloud: text("cloud", "name", "Cloud of clouds.yaml (OS_CLOUD)"),
  osRegionName: text("region-name", "region", "Region (OS_REGION_NAME)"),
  osInterface: text("interface", "interface", "Endpoint interface: public, internal or admin (OS_INTERFACE)"),
  osEndpointOverride: text("endpoint-override", "url", "URL of the share service instead of the catalog's"),
  osShareApiVersion: {
    flags: ["--os-share-api-version"],
    type: "microversion",
    metavar: "x.y",
    help: "Microversion of the share service (OS_SHARE_API_VERSION; default: the newest both sides know)"
  },
  osCacert: text("cacert", "file", "Certificate authorities to trust, a PEM file (OS_CACERT)"),
  osCert: text("cert", "file", "Client certificate, a PEM file (OS_CERT)"),
  osKey: text("key", "file", "Key of the client certificate, a PEM file (OS_KEY)"),
  verify: { flags: ["--verify"], type: "flag", exclusive: "verify", help: "Verify the server's certificate (default)" },
  insecure: {
    flags: ["--insecure"],
    type: "flag",
    exclusive: "verify",
    help: "Don't verify the server's certificate, for this command's requests only"
  },
  osAuthUrl: text("auth-url", "url", "URL of the identity service (OS_AUTH_URL)"),
  osAuthType: text(
    "auth-type",
    "type",
    "password, v3totp, v3multifactor, token, v3applicationcredential, admin_token or none (OS_AUTH_TYPE)"
  ),
  osAuthMethods: text("auth-methods", "methods", "Methods of v3multifactor, with commas (OS_AUTH_METHODS)"),
  osUsername: text("username", "name", "User name (OS_USERNAME)"),
  osUserId: text("user-id", "id", "User id (OS_USER_ID)"),
  osUserDomainName: text("user-domain-name", "name", "Domain of the user, by name (OS_USER_DOMAIN_NAME)"),
  osUserDomainId: text("user-domain-id", "id", "Domain of the user, by id (OS_USER_DOMAIN_ID)"),
  osPassword: secret("password", "Password (better in OS_PASSWORD or secure.yaml: others can see a command line)"),
  osPasscode: secret("passcode", "What a TOTP device shows (OS_PASSCODE)"),
  osProjectName: text("project-name", "name", "Project name (OS_PROJECT_NAME)"),
  osProjectId: text("project-id", "id", "Project id (OS_PROJECT_ID)"),
  osProjectDomainName: text("project-domain-name", "name", "Domain of the project, by name (OS_PROJECT_DOMAIN_NAME)"),
  osProjectDomainId: text("project-domain-id", "id", "Domain of the project, by id (OS_PROJECT_DOMAIN_ID)"),
  osDomainName: text("domain-name", "name", "Domain to act on, by name (OS_DOMAIN_NAME)"),
  osDomainId: text("domain-id", "id", "Domain to act on, by id (OS_DOMAIN_ID)"),
  osSystemScope: text("system-scope", "all", "Act on the whole deployment (OS_SYSTEM_SCOPE)"),
  osTrustId: text("trust-id", "id", "Act with a trust (OS_TRUST_ID)"),
  osDefaultDomain: {
    flags: ["--os-default-domain", "--os-default-domain-id"],
    type: "string",
    metavar: "id",
    help: "Domain of user and project where none is named (OS_DEFAULT_DOMAIN)"
  },
  osToken: secret("token", "A token issued elsewhere (OS_TOKEN)"),
  osApplicationCredentialId: text("application-credential-id", "id", "Application credential, by id"),
  osApplicationCredentialName: text("application-credential-name", "name", "Application credential, by name"),
  osApplicationCredentialSecret: secret("application-credential-secret", "Secret of the application credential")
} as const satisfies Readonly<Record<string, Option>>

/**
 * How much to say: the same in every program.
 *
 * @since 0.1.0
 */
export const talk = {
  debug: { flags: ["--debug"], type: "flag", help: "Show requests and answers on stderr, without secrets" },
  timing: { flags: ["--timing"], type: "flag", help: "Show on stderr how long each request took" },
  verbose: { flags: ["-v", "--verbose"], type: "flag", exclusive: "volume", help: "Say more on stderr" },
  quiet: { flags: ["-q", "--quiet"], type: "flag", exclusive: "volume", help: "Only warnings and errors on stderr" }
} as const satisfies Readonly<Record<string, Option>>

/**
 * How much to say, and how to say how it ended.
 *
 * @since 0.1.0
 */
export const behaviour = {
  ...talk,
  exitCodes: {
    flags: ["--exit-codes"],
    type: "string",
    metavar: "set",
    choices: ["manila", "osc"],
    default: "manila",
    env: "MANILA_EXIT_CODES",
    added: true,
    help: "Exit codes: manila's own, or those `openstack` gives for the same ending (see `manila help exit-codes`)"
  }
} as const satisfies Readonly<Record<string, Option>>

/**
 * @since 0.1.0
 */
export const options = { ...cloud, ...behaviour } as const satisfies Readonly<Record<string, Option>>

/**
 * The global options' values.
 *
 * @since 0.1.0
 * @category types
 */
export type Globals = { readonly [K in keyof typeof options]: OptionValue<(typeof options)[K]> }

/**
 * Those that the shell itself looks at, whichever program it runs.
 *
 * @since 0.1.0
 * @category types
 */
export type Common = { readonly [K in keyof typeof talk]: OptionValue<(typeof talk)[K]> } & {
  readonly exitCodes?: Globals["exitCodes"]
}
