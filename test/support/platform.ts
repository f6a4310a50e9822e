/**
 * What the README's programs run on in a test: the fake cloud in process, and a `clouds.yaml` in memory.
 */
import * as Path from "@effect/platform/Path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as PlatformError from "@effect/platform/Error"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Transport from "@effect-manila/core/http/Transport"
import type * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as InProcess from "@effect-manila/test-kit/InProcess"

const origin = "http://fake-cloud.test"

const cloudsYaml = ({ credentials }: { readonly credentials: FakeCloud.Credentials }) => `clouds:
  mycloud:
    auth:
      auth_url: ${origin}${credentials.authPath}
      username: ${credentials.username}
      password: ${credentials.password}
      user_domain_name: ${credentials.domainName}
      project_name: ${credentials.projectName}
      project_domain_name: ${credentials.domainName}
    region_name: ${credentials.region}
`

const missing = (path: string) =>
  new PlatformError.SystemError({ reason: "NotFound", module: "FileSystem", method: "read", pathOrDescriptor: path })

/** Files, paths and the network of a machine that has one `clouds.yaml` in the current folder and one cloud. */
export const layerOf = (cloud: FakeCloud.FakeCloud["Type"]) => {
  const isConfig = (path: string) => /(^|\/)clouds\.yaml$/.test(path) && !path.includes("/etc/")
  const files = FileSystem.layerNoop({
    exists: (path) => Effect.succeed(isConfig(path) || !/\.(ya?ml|json)$/.test(path)),
    readFileString: (path) => (isConfig(path) ? Effect.succeed(cloudsYaml(cloud)) : Effect.fail(missing(path)))
  })
  const transport = Layer.provide(Transport.layerHttpClient, InProcess.layer(cloud))
  return Layer.mergeAll(files, Path.layer, transport)
}
