/**
 * The laws of waiting hold for this library's waiter, on a plain resource and on one of another shape.
 */
import * as Adapter from "@effect-manila/test-kit/laws/Adapter"
import * as Waiter from "@effect-manila/test-kit/laws/Waiter"
import { describe, it } from "vitest"

Waiter.suite(
  { describe, it },
  Adapter.ofWaiter({ name: "a resource with a status", probe: (look) => look, statusOf: ({ status }) => status })
)
