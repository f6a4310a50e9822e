/**
 * The service catalog of a token.
 */
import type { CatalogService } from "../../FakeCloud.ts"
import type { Ids } from "../../internal/Ids.ts"
import { InvalidOption } from "../../InvalidOption.ts"

export type Catalog = (origin: string, projectId: string | undefined) => ReadonlyArray<object>

const interfaces = ["public", "internal", "admin"] as const

/** Servers before 2.60 want the project's id in the path, and their catalogs put it there. */
export const defaults = (newestMinor: number): ReadonlyArray<CatalogService> => {
  const path = newestMinor < 60 ? "/share/v2/{project_id}" : "/share/v2"
  return [
    { type: "identity", name: "keystone", path: "/identity/v3" },
    { type: "shared-file-system", name: "manila", path },
    { type: "sharev2", name: "manilav2", path },
    { type: "share", name: "manilav1", path: "/share/v1/{project_id}" }
  ]
}

export const make = (services: ReadonlyArray<CatalogService>, ids: Ids): Catalog => {
  const entries = services.map((service, index) => {
    const at = `catalog[${index}]`
    if (typeof service.type !== "string" || service.type === "")
      throw new InvalidOption({ option: `${at}.type`, problem: "must be a service type" })
    for (const name of service.interfaces ?? []) {
      if (!interfaces.includes(name))
        throw new InvalidOption({ option: `${at}.interfaces`, problem: `${name} is none of public, internal, admin` })
    }
    const path = service.path ?? "/share/v2"
    if (!/^(\/|https?:\/\/)/.test(path))
      throw new InvalidOption({ option: `${at}.path`, problem: "must begin with / or be a whole URL" })
    return {
      id: ids.hex(),
      type: service.type,
      name: service.name ?? service.type,
      path,
      endpoints: (service.regions ?? ["RegionOne"]).flatMap((region) =>
        (service.interfaces ?? interfaces).map((name) => ({ id: ids.hex(), interface: name, region }))
      )
    }
  })
  return (origin, projectId) =>
    entries.map(({ endpoints, path, ...service }) => {
      const whole = path.startsWith("/") ? origin + path : path
      // A token without a project has no such endpoint: Keystone leaves it out.
      const dropped = projectId === undefined && whole.includes("{project_id}")
      const url = whole.replaceAll("{project_id}", projectId ?? "")
      return {
        endpoints: dropped
          ? []
          : endpoints.map((endpoint) => ({
              id: endpoint.id,
              interface: endpoint.interface,
              region_id: endpoint.region,
              url,
              region: endpoint.region
            })),
        id: service.id,
        type: service.type,
        name: service.name
      }
    })
}
