/**
 * A time as people read it: `31s 0.5ms`. `Duration.format` would tell the half as 500000ns.
 */
import * as Duration from "effect/Duration"

export const timeText = (millis: number): string => {
  if (Number.isInteger(millis)) return Duration.format(millis)
  const short = millis % 1000
  const long = Math.round(millis - short)
  const rest = `${Number(short.toFixed(3))}ms`
  return long === 0 ? rest : `${Duration.format(long)} ${rest}`
}
