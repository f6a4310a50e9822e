/**
 * A plan file: what a fake cloud does, as JSON that people write.
 *
 * The format is described, with examples, in `docs/fake-cloud.md`. A mistake is told by the key it is in.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as FakeCloud from "./FakeCloud.ts"
import * as Faults from "./Faults.ts"
import * as FakeShakenFist from "./shakenfist/FakeShakenFist.ts"
import * as ClusterSchema from "./internal/ClusterSchema.ts"
import * as PlanSchema from "./internal/PlanSchema.ts"
import { InvalidOption } from "./InvalidOption.ts"

/**
 * What a plan file says, in the words of the kit.
 *
 * @since 0.1.0
 * @category models
 */
export interface Plan {
  readonly cloud: FakeCloud.Options
  readonly faults: ReadonlyArray<Faults.Fault>
  /** What a Shaken Fist cluster has, where there is one instead of the cloud. */
  readonly cluster?: Cluster
  /** How many times faster than the wall clock the cloud's clock runs; only `fake-cloud` has a use for it. */
  readonly speed: number | undefined
}

/**
 * The options of a Shaken Fist cluster, and the objects there from the start, in the administrator's namespace unless
 * they name another.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cluster {
  readonly options: FakeShakenFist.Options
  readonly objects: ReadonlyArray<{
    readonly kind: "instance" | "network" | "artifact"
    readonly name?: string
    readonly namespace?: string
    readonly operations: ReadonlyArray<Omit<FakeShakenFist.OperationSeed, "targets">>
  }>
}

/**
 * A plan nobody can follow. Each problem names its place, as in `lifecycles["share.extend"].phases[0]`.
 *
 * @since 0.1.0
 * @category errors
 */
export class PlanError extends Schema.TaggedError<PlanError>("@effect-manila/test-kit/PlanError")("PlanError", {
  /** The file, or `the plan`. */
  source: Schema.String,
  problems: Schema.Array(Schema.Struct({ path: Schema.String, problem: Schema.String }))
}) {
  override get message(): string {
    return this.problems
      .map(({ path, problem }) => `${this.source}: ${path === "" ? "" : `${path}: `}${problem}`)
      .join("\n")
  }
}

/**
 * A plan from JSON that is already parsed. `source` names it in errors.
 *
 * @since 0.1.0
 * @category constructors
 */
export const decode = (input: unknown, source = "the plan"): Effect.Effect<Plan, PlanError> =>
  Effect.suspend(() =>
    Either.match(decodePlanFile(input), {
      onLeft: (error) =>
        Effect.fail(
          new PlanError({ source, problems: ParseResult.ArrayFormatter.formatErrorSync(error).map(toProblem) })
        ),
      onRight: (file) => Effect.succeed(toPlan(file))
    })
  )

/**
 * A plan from the text of a file, whose name goes into errors.
 *
 * @since 0.1.0
 * @category constructors
 */
export const parse = (text: string, source = "the plan"): Effect.Effect<Plan, PlanError> =>
  Effect.flatMap(
    Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (error) => new PlanError({ source: `${source}:${lineOf(text, error)}`, problems: [notJson] })
    }),
    (input) => decode(input, source)
  )

/**
 * The cloud of a plan with its faults in front of it. What only shows when the cloud is made (a snapshot of a share
 * that isn't there) is a `PlanError` too.
 *
 * @since 0.1.0
 * @category constructors
 */
export const build = (
  plan: Plan,
  source = "the plan"
): Effect.Effect<Faults.Faulty & { readonly cloud: FakeCloud.FakeCloud["Type"] }, PlanError> =>
  told(FakeCloud.make(plan.cloud), source, "").pipe(
    Effect.flatMap((cloud) => Effect.map(Faults.wrap(cloud, plan.faults), (faulty) => ({ ...faulty, cloud })))
  )

/**
 * The Shaken Fist cluster of a plan, with its objects and with the faults in front of it. `variables` lead a client to it
 * at an origin.
 *
 * @since 0.1.0
 * @category constructors
 */
export const buildCluster = (
  plan: Plan,
  source = "the plan"
): Effect.Effect<
  Faults.Faulty & Pick<Effect.Effect.Success<ReturnType<typeof FakeShakenFist.makeApp>>, "cluster" | "variables">,
  PlanError
> =>
  Effect.gen(function* () {
    const { cluster, variables } = yield* FakeShakenFist.makeApp(plan.cluster?.options)
    for (const { kind, name, namespace, operations } of plan.cluster?.objects ?? []) {
      const { uuid } = yield* cluster[kind]({ name, namespace: namespace ?? cluster.system.namespace })
      for (const operation of operations) yield* cluster.enqueue({ ...operation, targets: [{ type: kind, uuid }] })
    }
    return { ...(yield* Faults.wrap(cluster, plan.faults.map(ofCluster))), cluster, variables }
  }).pipe((built) => told(built, source, "shakenfist."))

/** Without a body of its own, a refusal has the service's. */
const ofCluster = ({ match, outcome }: Faults.Fault): Faults.Fault => ({
  match,
  outcome:
    outcome._tag === "Status" && outcome.body === undefined && outcome.status >= 400
      ? FakeShakenFist.refusal(outcome.status, undefined, outcome.headers)
      : outcome
})

/** What only shows when something is made is the plan's mistake. */
const told = <A>(made: Effect.Effect<A>, source: string, where: string): Effect.Effect<A, PlanError> =>
  Effect.catchAllCause(made, (cause) => {
    const defect = Chunk.head(Cause.defects(cause))
    return defect._tag === "Some" && defect.value instanceof InvalidOption
      ? Effect.fail(
          new PlanError({
            source,
            problems: [{ path: `${where}${defect.value.option}`, problem: defect.value.problem }]
          })
        )
      : Effect.failCause(cause)
  })

const PlanFile = Schema.Struct({
  ...PlanSchema.PlanFile.fields,
  shakenfist: PlanSchema.optional(ClusterSchema.Cluster)
})

const decodePlanFile = Schema.decodeUnknownEither(PlanFile, { errors: "all", onExcessProperty: "error" })

const toPlan = ({ faults, shakenfist, speed, tokenLifetime, ...cloud }: typeof PlanFile.Type): Plan => ({
  cloud: { ...cloud, ...(tokenLifetime === undefined ? {} : { tokenLifetimeMillis: tokenLifetime }) },
  faults: (faults ?? []).map(toFault),
  ...(shakenfist === undefined ? {} : { cluster: toCluster(shakenfist, tokenLifetime) }),
  speed
})

const toCluster = (
  { artifacts, instances, networks, ...options }: ClusterSchema.Cluster,
  tokenLife: number | undefined
): Cluster => {
  const of = (kind: Cluster["objects"][number]["kind"], seeds: ReadonlyArray<ClusterSchema.Seeded> = []) =>
    seeds.map(({ operations = [], ...seed }) => ({ kind, ...seed, operations }))
  return {
    options: { ...options, tokenLife },
    objects: [...of("instance", instances), ...of("network", networks), ...of("artifact", artifacts)]
  }
}

const toFault = (fault: PlanSchema.Fault): Faults.Fault =>
  Faults.on(
    {
      method: fault.method,
      path: fault.path,
      service: fault.service,
      nth: fault.nth,
      delay: fault.delay,
      applied: fault.applied
    },
    toOutcome(fault)
  )

const toOutcome = (fault: PlanSchema.Fault): Faults.Outcome => {
  if (fault.status !== undefined) {
    const { body, headers } = fault
    return Faults.status(fault.status, {
      headers,
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body)
    })
  }
  if (fault.html !== undefined) return Faults.html(fault.html === true ? undefined : fault.html)
  if (fault.truncate !== undefined) return Faults.truncate(fault.truncate)
  if (fault.expiredToken) return Faults.expiredToken
  if (fault.reset) return Faults.reset
  if (fault.hang) return Faults.hang
  return fault.malformed ? Faults.malformed : Faults.pass
}

const notJson = { path: "", problem: "isn't JSON" }

/** Where the text stops being JSON: Node says the position, except at the end of the text. */
const lineOf = (text: string, error: unknown): number => {
  const position = /position (\d+)/.exec(String(error))?.[1]
  const before = position === undefined ? text.trimEnd() : text.slice(0, Number(position))
  return before.split("\n").length
}

const toProblem = ({ _tag, message, path }: ParseResult.ArrayFormatterIssue) => {
  const at = (problem: string) => ({ path: place(path), problem })
  if (_tag === "Missing") return at("is missing")
  if (_tag !== "Unexpected") {
    // What was expected instead of an object or a list would be told as a type, which is no help here.
    if (/^Expected (\{ )?ReadonlyArray</.test(message)) return at("must be a list")
    return at(message.startsWith("Expected {") ? "must be an object" : message)
  }
  const wrong = path.at(-1)
  if (typeof wrong === "number") return at("is one too many")
  const known = [...message.matchAll(/"([^"]+)"/g)].map(([, key]) => key!)
  const near = known.find((key) => distance(key.toLowerCase(), String(wrong).toLowerCase()) <= 2)
  const hint = near === undefined ? `what may stand there: ${known.join(", ")}` : `did you mean ${near}?`
  return at(`nothing is called ${String(wrong)} there; ${hint}`)
}

const place = (path: ReadonlyArray<PropertyKey>): string =>
  path
    .map((key, i) => {
      if (typeof key === "number") return `[${key}]`
      const name = String(key)
      if (!/^\w+$/.test(name)) return `[${JSON.stringify(name)}]`
      return i === 0 ? name : `.${name}`
    })
    .join("")

/** How many letters to add, drop or change (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, x] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, y] of [...b].entries()) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (x === y ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
