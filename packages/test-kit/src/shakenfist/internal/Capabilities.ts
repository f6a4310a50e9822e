/**
 * The root page: one line for each family of capabilities.
 */

const families: Readonly<Record<string, ReadonlyArray<string>>> = {
  admin: ["cluster-cacert", "cluster-resources", "vdi-token-pubkey"],
  "agent-operations": [
    "agentoperations-crud",
    "instance-agentoperations",
    "instance-agentoperations-all",
    "agentoperations-put-with-mode"
  ],
  artifacts: ["artifact-metadata", "artifact-upload-types", "artifact-clusteroperations"],
  auth: [
    "trusted-issuers",
    "generated-key-secrets",
    "scope-enforcement",
    "mapping-rules",
    "federated-exchange",
    "namespace-claims"
  ],
  blobs: [
    "blob-metadata",
    "blob-search-by-hash",
    "blob-data-limit",
    "blob-hash-sha1",
    "blob-hash-sha256",
    "blob-hash-xxh128",
    "blob-events",
    "blob-checksums",
    "blob-single-checksum"
  ],
  "cluster-operations": [
    "get-cluster-operations",
    "cluster-operation-chain",
    "cluster-operations-by-target",
    "object-pending-operations"
  ],
  events: ["events-by-type"],
  instances: [
    "pure-affinity",
    "spice-vdi-console",
    "vdi-console-helper",
    "vdi-console-proxy",
    "instance-put-blob",
    "instance-execute",
    "instance-get",
    "instance-screenshot",
    "get-instance-namespace",
    "hot-plug-interface",
    "include-queued-agent-operations",
    "instance-clusteroperations",
    "agentoperation-deadlines"
  ],
  networks: [
    "list-addresses",
    "route-addresses",
    "get-network-namespace",
    "provide-dns",
    "extra-dns-entries",
    "network-clusteroperations",
    "network-delete-async"
  ],
  networkinterfaces: ["interface-metadata"],
  nodes: ["node-get", "node-metadata", "node-process-metrics"]
}

export const all: ReadonlyArray<string> = Object.values(families).flat()

/** A client looks for a token in all of the text: no other word of the page may hold one. */
export const page = (off: ReadonlySet<string>): string => {
  const lines = Object.entries(families).map(([family, tokens]) => {
    const on = tokens.filter((token) => !off.has(token))
    return `<li>${family}: ${on.join(", ")}</li>`
  })
  return `<html><head><title>Shaken Fist</title></head><body><ul>\n${lines.join("\n")}\n</ul></body></html>\n`
}
