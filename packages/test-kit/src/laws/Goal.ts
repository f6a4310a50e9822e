/**
 * The laws of goals: what combinators promise of any goal, and what a table of statuses promises of a kind of resource.
 *
 * @since 0.1.0
 */
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Property from "./internal/Property.ts"
import * as Law from "./Law.ts"

/**
 * A goal, and resources it may see; absence is always among the looks.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subject<A> {
  readonly name: string
  readonly goal: Goal.Goal<A>
  readonly resources: ReadonlyArray<A>
}

type Looks<A> = ReadonlyArray<Goal.Look<A>>

const looksOf = <A>({ resources }: Subject<A>): FastCheck.Arbitrary<Looks<A>> =>
  FastCheck.array(
    FastCheck.record({
      seen: FastCheck.constantFrom(...resources.map(Option.some), Option.none<A>()),
      passed: FastCheck.constantFrom(5000, 0, 1, 29_999, 30_000, 60_000)
    }),
    { minLength: 1, maxLength: 10, size: "max" }
  ).map((looks) => {
    let elapsed = 0
    return looks.map(({ passed, seen }, index) => ({ seen, elapsed: index === 0 ? 0 : (elapsed += passed) }))
  })

/** Every look judged, also past a verdict. */
const judged = <A>(goal: Goal.Goal<A>, looks: Looks<A>): ReadonlyArray<Goal.Verdict> => {
  let current = goal
  return looks.map((look) => {
    const { next, verdict } = current.judge(look)
    current = next
    return verdict
  })
}

/** As a wait sees it: up to the first verdict. */
const upToVerdict = (verdicts: ReadonlyArray<Goal.Verdict>): ReadonlyArray<Goal.Verdict> => {
  const end = verdicts.findIndex(({ _tag }) => _tag !== "Pending")
  return end < 0 ? verdicts : verdicts.slice(0, end + 1)
}

const tags = (verdicts: ReadonlyArray<Goal.Verdict>): string => verdicts.map(({ _tag }) => _tag).join(" ")

const words = (verdicts: ReadonlyArray<Goal.Verdict>): string => JSON.stringify(verdicts)

const printLooks = (looks: Looks<unknown>): string =>
  looks
    .map(({ elapsed, seen }) => `${elapsed} ms: ${Option.isNone(seen) ? "gone" : JSON.stringify(seen.value)}`)
    .join("\n")

/** The laws hold for goals of every resource: what is seen is only handed through. */
type GoalLaw = Law.Law<Subject<never>>

const law = (
  name: string,
  claim: string,
  complaint: (goal: Goal.Goal<unknown>, looks: Looks<unknown>) => string | undefined
): GoalLaw => ({
  name,
  claim,
  check: (subject, options) => {
    // A goal is asked about its own resources only, whatever they are.
    const { goal, name, resources } = subject as unknown as Subject<unknown>
    Property.check(
      `${name}: ${claim}`,
      looksOf({ name, goal, resources }),
      (looks) => complaint(goal, looks),
      printLooks,
      options
    )
  }
})

const same = (
  one: ReadonlyArray<Goal.Verdict>,
  two: ReadonlyArray<Goal.Verdict>,
  text: (verdicts: ReadonlyArray<Goal.Verdict>) => string = words
): string | undefined => {
  const [left, right] = [text(upToVerdict(one)), text(upToVerdict(two))]
  return left === right ? undefined : `${left}\nis not\n${right}`
}

const always = (verdict: Goal.Verdict): Goal.Goal<unknown> => Goal.make(verdict._tag, () => verdict)
const alwaysReached = always(Goal.reached("r", "r"))
const alwaysFailed = always(Goal.failed("f", "status", "f"))
const alwaysPending = always(Goal.pending("p"))

/**
 * Judging changes nothing: the same goal gives the same verdicts again, also from the middle on.
 *
 * @since 0.1.0
 * @category laws
 */
export const judgingIsPure: GoalLaw = law(
  "judging is pure",
  "a goal that has judged judges the same looks the same way again",
  (goal, looks) => {
    const first = words(judged(goal, looks))
    const { next } = goal.judge(looks[0]!)
    judged(next, looks)
    return first === words(judged(goal, looks)) && words(judged(next, looks)) === words(judged(next, looks))
      ? undefined
      : "the second time it says something else"
  }
)

/**
 * Every verdict shows a status, and a failure says why.
 *
 * @since 0.1.0
 * @category laws
 */
export const verdictsSayWhatTheySaw: GoalLaw = law(
  "verdicts say what they saw",
  "every verdict shows a status, every failure a detail, and every goal what it wants",
  (goal, looks) => {
    if (goal.description === "") return "it does not say what it wants"
    const mute = judged(goal, looks).find(
      (verdict) => verdict.status === "" || (verdict._tag === "Failed" && verdict.detail === "")
    )
    return mute === undefined ? undefined : `a verdict without words: ${JSON.stringify(mute)}`
  }
)

/**
 * `mapInput` by the identity is the goal itself, and two in a row are their composition.
 *
 * @since 0.1.0
 * @category laws
 */
export const mapInputKeeps: GoalLaw = law(
  "mapInput is a contravariant functor",
  "mapInput by the identity changes nothing, and twice is once by the composition",
  (goal, looks) => {
    const wrap = (resource: unknown) => ({ resource })
    const unwrap = (wrapped: { readonly resource: unknown }) => wrapped.resource
    const twice = Goal.mapInput(Goal.mapInput(goal, unwrap), wrap)
    return (
      same(
        judged(
          Goal.mapInput(goal, (resource) => resource),
          looks
        ),
        judged(goal, looks)
      ) ?? same(judged(twice, looks), judged(goal, looks))
    )
  }
)

/**
 * `describe` changes the words, and on every later look too, but no verdict.
 *
 * @since 0.1.0
 * @category laws
 */
export const describeChangesWordsOnly: GoalLaw = law(
  "describe changes only words",
  "describe replaces the description, for all looks, and no verdict",
  (goal, looks) => {
    const described = Goal.describe(goal, "other words")
    const { next } = described.judge(looks[0]!)
    if (described.description !== "other words" || next.description !== "other words") return "its words are lost"
    return same(judged(described, looks), judged(goal, looks))
  }
)

/**
 * `both` with itself and with what is always reached is the goal; it commutes; with what never is, it is never reached.
 *
 * @since 0.1.0
 * @category laws
 */
export const bothIsConjunction: GoalLaw = law(
  "both is a conjunction",
  "both is reached on a look that satisfies both, fails with either, and its sides can be exchanged",
  (goal, looks) => {
    const other = Goal.stableFor(goal, 2)
    const plain = judged(goal, looks)
    const conjunction = judged(Goal.both(goal, other), looks)
    const second = judged(other, looks)
    const expected = plain.map(({ _tag: one }, index) => {
      const two = second[index]!._tag
      if (one === "Failed" || two === "Failed") return "Failed"
      if (one === "NeedsAction" || two === "NeedsAction") return "NeedsAction"
      return one === "Reached" && two === "Reached" ? "Reached" : "Pending"
    })
    return (
      same(judged(Goal.both(goal, goal), looks), plain, tags) ??
      same(judged(Goal.both(goal, alwaysReached), looks), plain, tags) ??
      same(judged(Goal.both(alwaysReached, goal), looks), plain, tags) ??
      same(conjunction, judged(Goal.both(other, goal), looks), tags) ??
      (tags(conjunction) === expected.join(" ") ? undefined : `${tags(conjunction)}\nis not\n${expected.join(" ")}`) ??
      (judged(Goal.both(goal, alwaysPending), looks).some(({ _tag }) => _tag === "Reached")
        ? "reached beside a goal that never is"
        : undefined) ??
      (judged(Goal.both(alwaysFailed, goal), looks).every(({ _tag }) => _tag === "Failed")
        ? undefined
        : "a failure beside it did not fail it")
    )
  }
)

/**
 * `either` with itself and with what always fails is the goal; it commutes; with what never fails, it never does.
 *
 * @since 0.1.0
 * @category laws
 */
export const eitherIsDisjunction: GoalLaw = law(
  "either is a disjunction",
  "either is reached by whichever is first, fails only when neither can be reached, and its sides can be exchanged",
  (goal, looks) => {
    const other = Goal.failingFor(goal, 2)
    const plain = judged(goal, looks)
    return (
      same(judged(Goal.either(goal, goal), looks), plain, tags) ??
      same(judged(Goal.either(goal, alwaysFailed), looks), plain, tags) ??
      same(judged(Goal.either(alwaysFailed, goal), looks), plain, tags) ??
      same(judged(Goal.either(goal, other), looks), judged(Goal.either(other, goal), looks), tags) ??
      (judged(Goal.either(goal, alwaysPending), looks).some(({ _tag }) => _tag === "Failed")
        ? "failed beside a goal that has not"
        : undefined) ??
      (judged(Goal.either(alwaysReached, goal), looks)[0]?._tag === "Reached"
        ? undefined
        : "not reached by its left side")
    )
  }
)

/** The first look at which the last `n` verdicts all were `tag`. */
const firstRun = (verdicts: ReadonlyArray<Goal.Verdict>, n: number, tag: Goal.Verdict["_tag"]): number =>
  verdicts.findIndex(
    (_, index) => index + 1 >= n && verdicts.slice(index + 1 - n, index + 1).every((v) => v._tag === tag)
  )

const inARow =
  (combinator: (goal: Goal.Goal<unknown>, n: number) => Goal.Goal<unknown>, tag: "Reached" | "Failed") =>
  (goal: Goal.Goal<unknown>, looks: Looks<unknown>): string | undefined => {
    const plain = judged(goal, looks)
    const once = same(judged(combinator(goal, 1), looks), plain)
    if (once !== undefined) return once
    for (const n of [2, 3]) {
      const at = judged(combinator(goal, n), looks).findIndex(({ _tag }) => _tag === tag)
      const expected = firstRun(plain, n, tag)
      if (at !== expected) return `${n} in a row: ${tag} on look ${at + 1}, and it is due on look ${expected + 1}`
    }
    return undefined
  }

/**
 * `stableFor(n)` is reached on the first look that ends `n` good ones in a row.
 *
 * @since 0.1.0
 * @category laws
 */
export const stableForCounts: GoalLaw = law(
  "stableFor counts looks in a row",
  "stableFor(n) is reached on the first look that ends n satisfied ones in a row; stableFor(1) changes nothing",
  inARow(Goal.stableFor, "Reached")
)

/**
 * `failingFor(n)` fails on the first look that ends `n` failed ones in a row.
 *
 * @since 0.1.0
 * @category laws
 */
export const failingForCounts: GoalLaw = law(
  "failingFor counts looks in a row",
  "failingFor(n) fails on the first look that ends n failed ones in a row; failingFor(1) changes nothing",
  inARow(Goal.failingFor, "Failed")
)

/**
 * `stuckFor(d)` fails on the first look that sees one pending status for `d`, and for ever changes nothing.
 *
 * @since 0.1.0
 * @category laws
 */
export const stuckForMeasures: GoalLaw = law(
  "stuckFor measures one status",
  "stuckFor(d) fails on the first look at which one pending status has been seen for d; for ever it changes nothing",
  (goal, looks) => {
    const plain = judged(goal, looks)
    if (plain.some((verdict) => verdict._tag === "Failed" && verdict.cause === "stuck")) return undefined
    const never = same(judged(Goal.stuckFor(goal, Infinity), looks), plain)
    if (never !== undefined) return never
    let since = 0
    const expected = plain.findIndex(({ _tag, status }, index) => {
      if (index === 0 || plain[index - 1]!.status !== status) since = looks[index]!.elapsed
      return _tag === "Pending" && looks[index]!.elapsed - since >= 30_000
    })
    const at = judged(Goal.stuckFor(goal, 30_000), looks).findIndex(
      (verdict) => verdict._tag === "Failed" && verdict.cause === "stuck"
    )
    return at === expected ? undefined : `stuck on look ${at + 1}, and it is due on look ${expected + 1}`
  }
)

/**
 * All laws of a goal.
 *
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<GoalLaw> = [
  judgingIsPure,
  verdictsSayWhatTheySaw,
  mapInputKeeps,
  describeChangesWordsOnly,
  bothIsConjunction,
  eitherIsDisjunction,
  stableForCounts,
  failingForCounts,
  stuckForMeasures
]

/**
 * @since 0.1.0
 */
export const suite = <A>(runner: Law.Runner, subject: Subject<A>, options?: Law.Options): void =>
  // The goal only ever sees its own resources.
  Law.suite(runner, laws, subject as unknown as Subject<never>, options)

/**
 * A kind of resource and its statuses by what they mean.
 *
 * @since 0.1.0
 * @category models
 */
export interface Table<A> {
  readonly name: string
  readonly resource: (status: string) => A
  readonly failures: ReadonlyArray<string>
  readonly leaving: ReadonlyArray<string>
  readonly transitional: ReadonlyArray<string>
}

/**
 * What a table promises of a goal: every failure status ends it, every one that leads away ends a wait for presence,
 * every other is waited on, and letters may be large or small. Gives what does not hold, one line each.
 *
 * `wanted` are the statuses the goal is reached at; `wants` says whether it is presence or absence that is wanted.
 *
 * @since 0.1.0
 */
export const tableHolds = <A>(
  { failures, leaving, resource, transitional }: Table<A>,
  goal: Goal.Goal<A>,
  { wanted, wants }: { readonly wanted: ReadonlyArray<string>; readonly wants: "presence" | "absence" }
): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  // On its way first, so that an old state is left behind.
  const [before = "an_unknown_status"] = transitional.filter((status) => !wanted.includes(status))
  const after = (status: string): Goal.Verdict => {
    const looks = [before, status].map((one, index) => ({ seen: Option.some(resource(one)), elapsed: index * 5000 }))
    return judged(goal, looks)[1]!
  }
  const expect = (status: string, tag: Goal.Verdict["_tag"]) => {
    for (const spelling of [status, status.toUpperCase()]) {
      const verdict = after(spelling)
      if (verdict._tag !== tag) wrong.push(`${spelling} is ${verdict._tag}, and ${tag} is due`)
    }
  }
  for (const status of wanted) expect(status, "Reached")
  const others = (statuses: ReadonlyArray<string>) => statuses.filter((status) => !wanted.includes(status))
  for (const status of others(failures)) expect(status, "Failed")
  for (const status of others(leaving)) expect(status, wants === "presence" ? "Failed" : "Pending")
  for (const status of others(transitional)) expect(status, "Pending")
  expect("a_status_nobody_knows", "Pending")
  return wrong
}
