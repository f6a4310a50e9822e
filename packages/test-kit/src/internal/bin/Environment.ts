/**
 * The variables that lead a client to a fake cloud and to no other.
 *
 * @since 0.1.0
 */
import type { Credentials } from "../../FakeCloud.ts"

type Variables = Readonly<Record<string, string | undefined>>

export const variables = (origin: string, credentials: Credentials): Record<string, string> => ({
  OS_AUTH_URL: `${origin}${credentials.authPath}`,
  OS_IDENTITY_API_VERSION: "3",
  OS_USERNAME: credentials.username,
  OS_USER_DOMAIN_NAME: credentials.domainName,
  OS_PASSWORD: credentials.password,
  OS_PROJECT_NAME: credentials.projectName,
  OS_PROJECT_DOMAIN_NAME: credentials.domainName,
  OS_REGION_NAME: credentials.region
})

const proxies = /^(https?|all)_proxy$/i

/**
 * The environment of a command: the outer one without any `OS_*` and `SHAKENFIST_*` (one of another cloud would win over
 * ours), with the fake cloud's, and with loopback taken out of whatever proxy is set.
 */
export const environment = (outer: Variables, cloud: Readonly<Record<string, string>>): Record<string, string> => {
  const inner: Record<string, string> = {}
  for (const [name, value] of Object.entries(outer)) {
    if (value !== undefined && !/^(OS|SHAKENFIST)_/.test(name)) inner[name] = value
  }
  if (Object.keys(inner).some((name) => proxies.test(name))) {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      inner[name] = [inner[name], "127.0.0.1", "localhost"]
        .filter((part) => part !== undefined && part !== "")
        .join(",")
    }
  }
  return { ...inner, ...cloud }
}

/** Lines for a shell. */
export const exports = (cloud: Readonly<Record<string, string>>): string =>
  [
    ...("OS_AUTH_URL" in cloud ? ["unset OS_CLOUD"] : []),
    ...Object.entries(cloud).map(([name, value]) => `export ${name}=${quoted(value)}`)
  ].join("\n")

const quoted = (value: string): string =>
  /^[\w./:@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
