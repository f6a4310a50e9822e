/**
 * The laws of operations. They enumerate what there is, so that a kind that is added later is held to them by itself.
 *
 * @since 0.1.0
 */
import { Manila } from "@effect-manila/core/manila/Manila"
import * as Microversion from "@effect-manila/core/manila/Microversion"
import type { AnyOperation } from "@effect-manila/core/manila/operations"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as FakeCloud from "../FakeCloud.ts"
import * as Faults from "../Faults.ts"
import * as VirtualTime from "../VirtualTime.ts"
import type { App } from "../Wire.ts"
import * as Client from "./internal/Client.ts"
import * as Law from "./Law.ts"

/**
 * Operations, and inputs for those whose inputs can't be guessed: every operation gets `id`, `shareId` and `key` of
 * objects that are there.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subject {
  readonly name: string
  readonly operations: ReadonlyArray<AnyOperation>
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
  /** Default: a cloud with one object of each kind. */
  readonly cloud?: FakeCloud.Options | undefined
}

type OperationLaw = Law.Law<Subject>

const uuid = (n: number): string => `0a0a0a0a-0000-4000-8000-${String(n).padStart(12, "0")}`

const ids = {
  share: uuid(1),
  snapshot: uuid(2),
  accessRule: uuid(3),
  shareType: uuid(4),
  shareNetwork: uuid(5),
  shareGroup: uuid(6),
  message: uuid(7),
  replica: uuid(8),
  shareInstance: uuid(11),
  backup: uuid(9)
}

/** A share with copies can't have the rest. */
const copied = uuid(10)

const seeded: FakeCloud.Options = {
  seed: {
    shares: [
      { id: ids.share, instance_id: ids.shareInstance, name: "data", metadata: { owner: "ann" } },
      { id: copied, name: "copied", share_type: "copied" }
    ],
    replicas: [{ id: ids.replica, share_id: copied, metadata: { owner: "ann" } }],
    backups: [{ id: ids.backup, share_id: ids.share }],
    snapshots: [{ id: ids.snapshot, share_id: ids.share, metadata: { owner: "ann" } }],
    accessRules: [{ id: ids.accessRule, share_id: ids.share }],
    shareTypes: [
      { id: ids.shareType, name: "gold" },
      { name: "copied", extra_specs: { driver_handles_share_servers: "False", replication_type: "readable" } }
    ],
    shareNetworks: [{ id: ids.shareNetwork, name: "net" }],
    shareGroups: [{ id: ids.shareGroup, name: "group" }],
    messages: [{ id: ids.message, resource_id: ids.share }]
  }
}

/** What an operation is asked with: the id of an object of its kind, and its share's. */
const inputOf = ({ inputs }: Subject, operation: AnyOperation): Record<string, unknown> => {
  const [kind = ""] = operation.operation.split(".")
  const id = kind in ids ? ids[kind as keyof typeof ids] : ids.share
  return { id, shareId: ids.share, key: "owner", ...inputs?.[operation.operation] }
}

/** An input whose every field is this text. */
const allOf = (text: string): Record<string, unknown> =>
  new Proxy({}, { get: (_, field) => (typeof field === "string" ? text : undefined) })

/** Runs an operation whose types nobody knows. */
const call = (operation: AnyOperation, input: unknown) =>
  Effect.flatMap(Manila, (manila) => Effect.either(manila.execute(operation, input as never)))

/** What one operation did on a cloud of its own: its result, and what the share service was asked meanwhile. */
const tried = (subject: Subject, operation: AnyOperation, input: unknown, setup: Client.Setup = {}) =>
  VirtualTime.runSync(
    Effect.gen(function* () {
      const world = yield* Client.make({ cloud: subject.cloud ?? seeded, ...setup })
      const before = operation.safe ? yield* Client.dump(world) : ""
      yield* world.cloud.journal.clear
      const result = yield* Effect.provide(call(operation, input), world.client)
      const entries = yield* world.cloud.journal.filter({ service: "share" })
      const asked = entries.filter(({ path }) => !/^\/share\/?(v2\/?)?$/.test(path))
      return { result, asked, before, after: operation.safe ? yield* Client.dump(world) : "" }
    }),
    { outside: "ignore" }
  )

const law = (
  name: string,
  claim: string,
  complaint: (subject: Subject, operation: AnyOperation) => string | undefined
): OperationLaw => ({
  name,
  claim,
  check: (subject) => {
    const wrong = subject.operations.flatMap((operation) => {
      const said = complaint(subject, operation)
      return said === undefined ? [] : [`${operation.operation}: ${said}`]
    })
    if (wrong.length > 0) throw new Error(`${subject.name}: ${claim}\n\n${wrong.join("\n")}`)
  }
})

/** A path that two ids could reach would be `/shares/a/action` for the id `a/action`. */
const nasty = "../a b/c?d=e#f%2F;ü\\"

/**
 * Whatever stands in an id stays in its segment of the path.
 *
 * @since 0.1.0
 * @category laws
 */
export const pathsAreEncoded: OperationLaw = law(
  "ids stay in their segment",
  "whatever stands in an id or a key is encoded, and reaches no other route",
  (_, operation) => {
    for (const form of operation.forms) {
      const [path, plain] = [nasty, "plain"].map((text) => form.path(allOf(text) as never))
      const segments = path!.split("/")
      if (segments.length !== plain!.split("/").length) return `${path} has another number of segments than ${plain}`
      for (const [index, segment] of plain!.split("/").entries()) {
        const expected = segment === "plain" ? encodeURIComponent(nasty) : segment
        if (segments[index] !== expected) return `${path}: ${segments[index]} stands where ${expected} is due`
      }
    }
    return undefined
  }
)

/**
 * The spellings of an operation follow each other by version, without a gap and without two at once.
 *
 * @since 0.1.0
 * @category laws
 */
export const formsFollowEachOther: OperationLaw = law(
  "one spelling a version",
  "between its first and its last version an operation has exactly one spelling, the newest first",
  (_, { forms }) => {
    let seen: number | undefined
    for (let minor = 99; minor >= 0; minor--) {
      const count = forms.filter(({ since, until }) => Microversion.within(`2.${minor}`, since, until)).length
      if (count > 1) return `${count} spellings at 2.${minor}`
      if (count === 1) {
        if (seen !== undefined && seen !== minor + 1) return `no spelling between 2.${minor} and 2.${seen}`
        seen = minor
      }
    }
    return seen === undefined ? "no version has it" : undefined
  }
)

/**
 * What is said to be safe changes nothing in the cloud.
 *
 * @since 0.1.0
 * @category laws
 */
export const safeChangesNothing: OperationLaw = law(
  "safe changes nothing",
  "an operation that says it is safe changes nothing in the cloud",
  (subject, operation) => {
    if (!operation.safe) {
      const isRead = operation.forms.every(({ method }) => method === "GET")
      return isRead ? "every spelling is a GET, and it says it is not safe" : undefined
    }
    const { after, asked, before, result } = tried(subject, operation, inputOf(subject, operation))
    if (asked.length === 0) return Either.isLeft(result) ? undefined : "nothing was asked"
    return after === before ? undefined : "the cloud is another after it"
  }
)

const lookAway: Faults.Match = { service: "share", path: "/share/v2/**" }

/** Documents of the versions are asked for first, and are not what is meant. */
const beyondDiscovery = [Faults.on({ service: "share", path: "/share/v2" }, Faults.pass)]

/**
 * What may have changed something is sent once, whatever goes wrong; what is safe is repeated.
 *
 * @since 0.1.0
 * @category laws
 */
export const unsafeIsSentOnce: OperationLaw = law(
  "unsafe is sent once",
  "a request that may have changed something is never repeated, and a safe one is",
  (subject, operation) => {
    for (const [name, outcome] of [
      ["503", Faults.status(503)],
      ["a reset", Faults.reset],
      ["a 429", Faults.status(429, { headers: { "Retry-After": "1" } })]
    ] as const) {
      const { asked, result } = tried(subject, operation, allOf("x"), {
        faults: [...beyondDiscovery, Faults.on(lookAway, outcome)],
        requestTimeout: "10 seconds"
      })
      if (Either.isRight(result)) return `${name} was taken for a success`
      const expected = operation.safe ? 3 : 1
      if (asked.length !== expected) return `after ${name} it was sent ${asked.length} times, not ${expected}`
      const error = result.left
      const isInDoubt = !operation.safe && name !== "a 429"
      if (isInDoubt && error._tag !== "OutcomeUnknown") return `after ${name} it says ${error._tag}, not OutcomeUnknown`
      if (!isInDoubt && error._tag === "OutcomeUnknown") return `after ${name} it says that its outcome is unknown`
    }
    return undefined
  }
)

const before = (version: string): string | undefined => {
  const minor = Number(version.split(".")[1]) - 1
  return minor < 0 ? undefined : `2.${minor}`
}

/**
 * What the version doesn't have is refused before anything is sent: an operation, and each field of its input.
 *
 * @since 0.1.0
 * @category laws
 */
export const notSupportedSendsNothing: OperationLaw = law(
  "NotSupported comes before sending",
  "an operation or a field that the version does not have is NotSupported, and nothing is sent",
  (subject, operation) => {
    const refused = (what: string, microversion: string | undefined, input: unknown) => {
      if (microversion === undefined) return undefined
      const { asked, result } = tried(subject, operation, input, { microversion })
      if (asked.length > 0) return `${what} was sent at ${microversion}`
      if (Either.isRight(result)) return `${what} succeeded at ${microversion}`
      const { _tag } = result.left
      return _tag === "NotSupported" ? undefined : `${what} is ${_tag} at ${microversion}`
    }
    const oldest = operation.forms.at(-1)?.since
    const said = oldest === undefined ? undefined : refused("it", before(oldest), inputOf(subject, operation))
    if (said !== undefined) return said
    for (const [field, since] of Object.entries(operation.fieldsSince)) {
      const input = { ...inputOf(subject, operation), [field]: "x" }
      const about = refused(`its ${field}`, before(since), input)
      if (about !== undefined) return about
    }
    return undefined
  }
)

/** Adds a field that nobody knows to every object of an answer. */
const foreign = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(foreign)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, foreign(inner)])
  return { ...Object.fromEntries(entries), x_unknown: "kept" }
}

const withForeign =
  (app: App): App =>
  (request) =>
    Effect.map(app(request), (reply) => {
      if (reply._tag !== "Answer" || !request.path.startsWith("/share/v2/") || !reply.answer.body.startsWith("{")) {
        return reply
      }
      const body = JSON.stringify(foreign(JSON.parse(reply.answer.body)))
      const { "content-length": _, ...headers } = reply.answer.headers
      return { ...reply, answer: { ...reply.answer, headers, body } }
    })

/**
 * Fields that this library doesn't know reach the caller.
 *
 * @since 0.1.0
 * @category laws
 */
export const unknownFieldsSurvive: OperationLaw = law(
  "unknown fields survive",
  "a field of an answer that no schema names reaches the caller",
  (subject, operation) => {
    if (!operation.output.readsBody || !operation.safe) return undefined
    const { result } = tried(subject, operation, inputOf(subject, operation), { around: withForeign })
    if (Either.isLeft(result)) {
      return result.left._tag === "Malformed"
        ? `an unknown field makes it unreadable: ${result.left.message}`
        : undefined
    }
    const text = JSON.stringify(result.right)
    const isEmpty = text === "[]" || text.startsWith(`{"items":[]`)
    return isEmpty || text.includes("x_unknown") ? undefined : "the field is gone"
  }
)

/**
 * All laws of operations.
 *
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<OperationLaw> = [
  pathsAreEncoded,
  formsFollowEachOther,
  safeChangesNothing,
  unsafeIsSentOnce,
  notSupportedSendsNothing,
  unknownFieldsSurvive
]

/**
 * Which safe operations gave a value on the subject's cloud: those for which the laws about answers say something.
 *
 * @since 0.1.0
 */
export const answered = (subject: Subject): ReadonlyArray<string> =>
  subject.operations
    .filter(
      (operation) => operation.safe && Either.isRight(tried(subject, operation, inputOf(subject, operation)).result)
    )
    .map(({ operation }) => operation)

/**
 * @since 0.1.0
 */
export const suite = (runner: Law.Runner, subject: Subject, options?: Law.Options): void =>
  Law.suite(runner, laws, subject, options)
