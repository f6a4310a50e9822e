import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as ResumeToken from "@effect-manila/cli/ResumeToken"

const token: ResumeToken.ResumeToken = {
  v: 1,
  cloud: "0123456789abcdef",
  kind: "share",
  id: "36bd0f1a-5f5b-4b7e-9c3a-0d1e2f3a4b5c",
  verb: "resize",
  goal: { for: ["available"], fields: { size: 2 } },
  deadline: 1_790_000_000_000,
  acceptedAt: 1_789_999_700_000
}

const text = ResumeToken.encode(token)

const why = (text: string): string => {
  const decoded = ResumeToken.decode(text)
  assert(decoded._tag === "Broken", JSON.stringify(decoded))
  return decoded.why
}

describe("a resume token", () => {
  it("comes back as it went, with and without its optional parts", () => {
    const plain: ResumeToken.ResumeToken = { ...token, goal: { for: ["deleted", "error"] } }
    const { deadline: _, ...endless } = plain
    for (const one of [token, plain, endless]) {
      assert.deepStrictEqual(ResumeToken.decode(ResumeToken.encode(one)), { _tag: "Token", token: one })
    }
  })

  it("is one word of a URL, a shell and a file name", () => {
    assert.match(text, /^[A-Za-z0-9_.-]+$/)
  })

  it("survives blanks around it", () => {
    assert.strictEqual(ResumeToken.decode(` ${text}\n`)._tag, "Token")
  })

  it("is refused wherever it is cut off", () => {
    for (let length = 0; length < text.length; length++) why(text.slice(0, length))
    assert.match(why(text.slice(0, -1)), /cut off/)
    assert.match(why(text.slice(0, 20)), /cut off/)
  })

  it("is refused with any one character changed", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(text.length - 1), FastCheck.constantFrom(..."abcXYZ019-_"), (at, character) => {
        FastCheck.pre(text[at] !== character)
        return ResumeToken.decode(text.slice(0, at) + character + text.slice(at + 1))._tag === "Broken"
      })
    )
  })

  it("says what is wrong with it", () => {
    assert.match(why("hello"), /no resume token/)
    assert.match(why(""), /no resume token/)
    assert.match(why("mw2.abc.def"), /newer version/)
    assert.match(why(text.replace(/.(?=\.[^.]+$)/, "!")), /checksum/)
    assert.match(why(`${text}.x`), /checksum/)
  })

  it("carries nothing but its own fields, so no secret that comes along", () => {
    const stuffed = { ...token, password: "s3cret", goal: { ...token.goal, token: "s3cret" } }
    const encoded = ResumeToken.encode(stuffed)
    assert.strictEqual(encoded, text)
    assert.isFalse(
      Buffer.from(encoded.split(".")[1] ?? "", "base64url")
        .toString()
        .includes("s3cret")
    )
  })
})
