/**
 * How a fake cluster measures its instances and takes finished operations away.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import { InvalidOption } from "../InvalidOption.ts"
import * as Upkeep from "./internal/Upkeep.ts"

/**
 * How the cluster looks after itself. Defaults are the real one's.
 *
 * @since 0.1.0
 * @category models
 */
export interface UpkeepOptions {
  /** A finished operation stays for longer than this after its last change of state. Default 30 s. */
  readonly grace?: Duration.DurationInput | undefined
  /** From one look at what is finished to the next. Default 60 s. */
  readonly tick?: Duration.DurationInput | undefined
  /** No walk through the operations of a type for this long after one reached its end. Default 300 s. */
  readonly recheck?: Duration.DurationInput | undefined
  /** The most a walk takes at one tick; the rest comes at the next one, without a pause. Default 20 s. */
  readonly budget?: Duration.DurationInput | undefined
  /** Default `false`: each type of operation has the budget for itself. */
  readonly isBudgetShared?: boolean | undefined
  /** What a walk takes for each finished operation. Default 0. */
  readonly walkPerOperation?: Duration.DurationInput | undefined
  /** What a walk takes beside that. Default 0; anything above makes walks six minutes apart instead of five. */
  readonly walkBase?: Duration.DurationInput | undefined
  /** How long an errored operation is listed, from its creation; 0 for ever. Default 7 days. */
  readonly retention?: Duration.DurationInput | undefined
  /** From one measuring of all created instances to the next. Default 300 s. */
  readonly sweep?: Duration.DurationInput | undefined
  /** The most one measuring takes; instances it did not get to are left out. Default 10 s. */
  readonly sweepBudget?: Duration.DurationInput | undefined
  /** What it takes for each instance. Default 0. */
  readonly sweepPerInstance?: Duration.DurationInput | undefined
  /** From the beginning to the first tick. Default 60 s. */
  readonly tickPhase?: Duration.DurationInput | undefined
  /** From the beginning to the first measuring. Default 300 s. */
  readonly sweepPhase?: Duration.DurationInput | undefined
}

/**
 * A duration of an option in milliseconds; a defect, an `InvalidOption`, if it is below the least that makes sense.
 *
 * @since 0.1.0
 */
export const millis = (
  given: Duration.DurationInput | undefined,
  fallback: number,
  option: string,
  least = 0
): number => {
  if (given === undefined) return fallback
  const value = Duration.toMillis(given)
  if (!(value >= least)) throw new InvalidOption({ option, problem: `must be at least ${least} ms, not ${value}` })
  return value
}

/**
 * The settings that options stand for.
 *
 * @since 0.1.0
 */
export const upkeepOf = (options: UpkeepOptions): Upkeep.Settings => {
  const { defaults } = Upkeep
  const of = (name: Exclude<keyof Upkeep.Settings, "isBudgetShared">, least = 0) =>
    millis(options[name], defaults[name], `upkeep.${name}`, least)
  return {
    grace: of("grace"),
    tick: of("tick", 1),
    recheck: of("recheck"),
    budget: of("budget"),
    isBudgetShared: options.isBudgetShared ?? defaults.isBudgetShared,
    walkPerOperation: of("walkPerOperation"),
    walkBase: of("walkBase"),
    retention: of("retention"),
    sweep: of("sweep", 1),
    sweepBudget: of("sweepBudget"),
    sweepPerInstance: of("sweepPerInstance"),
    tickPhase: of("tickPhase"),
    sweepPhase: of("sweepPhase")
  }
}
