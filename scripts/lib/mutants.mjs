/**
 * Small wrongs in a program, all in one text: each can be switched on by its number, so that a thousand of them are one
 * build.
 *
 * A module is stripped of its types, parsed, and printed again with every place that could be wrong written as
 * `(mutant === 12 ? (wrong) : (right))`.
 */
import { transformSync } from "esbuild"
import { parseAst } from "rollup/parseAst"

/**
 * `isStatic`: it is reached while the module is loaded, so that a process can't be switched to it later. `near`: the place
 * with some text before and after it, on one line.
 *
 * @typedef {{ id: number, file: string, line: number, what: string, near: string, isStatic: boolean }} Mutant
 */

const others = {
  "<": ["<="],
  "<=": ["<"],
  ">": [">="],
  ">=": [">"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&&": ["||"],
  "||": ["&&"]
}

/** Where another value changes only what a graph looks like, or how much a stack trace says. */
const isLeftAlone = ({ end, start, type }, code) =>
  (type === "CallExpression" && code.startsWith("MetricBoundaries.", start)) ||
  // `undefined` is written so.
  (type === "UnaryExpression" && code.startsWith("void 0", start)) ||
  (type === "Property" && /^(captureStackTrace|incremental):/.test(code.slice(start, end)))

const text = (value) => `(${value})`

/** What could stand there instead, with a word for it. */
const wrongs = (node, code) => {
  const at = ({ end, start }) => code.slice(start, end)
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression": {
      // A text that is put together is no sum.
      const isText = node.operator === "+" && /["'`]/.test(at(node))
      const operators = isText ? [] : (others[node.operator] ?? [])
      const left = node.operator === "??" ? [[text(at(node.right)), "only the default"]] : []
      return [
        ...operators.map((operator) => [
          `${text(at(node.left))} ${operator} ${text(at(node.right))}`,
          `${node.operator} is ${operator}`
        ]),
        ...left
      ]
    }
    case "ConditionalExpression":
      return [
        [text(at(node.consequent)), "always the first"],
        [text(at(node.alternate)), "always the second"]
      ]
    case "UnaryExpression":
      return node.operator === "!" ? [[text(at(node.argument)), "no longer negated"]] : []
    case "Literal":
      if (typeof node.value === "boolean") return [[String(!node.value), `${node.value} is ${!node.value}`]]
      if (typeof node.value === "number") return [[String(node.value + 1), `${node.value} is ${node.value + 1}`]]
      return []
    case "CallExpression": {
      const found = /^Math\.(min|max)$/.exec(at(node.callee))
      if (found === null) return []
      const other = found[1] === "min" ? "max" : "min"
      return [[`Math.${other}(${node.arguments.map(at).join(", ")})`, `Math.${found[1]} is Math.${other}`]]
    }
    default:
      return []
  }
}

const isNode = (value) => typeof value === "object" && value !== null && typeof value.type === "string"

/** Parts that are names, not values. */
const isName = (node, key) =>
  ((node.type === "Property" || node.type === "MethodDefinition" || node.type === "PropertyDefinition") &&
    key === "key" &&
    !node.computed) ||
  (node.type === "MemberExpression" && key === "property" && !node.computed) ||
  node.type.startsWith("Import") ||
  node.type === "ExportAllDeclaration"

const childrenOf = (node) =>
  Object.entries(node)
    .filter(([key]) => !isName(node, key))
    .flatMap(([, value]) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))
    .filter(({ end, start }) => end > start)
    .toSorted((a, b) => a.start - b.start)

/**
 * The module with all its mutants, those from number `first` on.
 *
 * @param {string} source TypeScript
 * @param {string} file
 * @param {number} first
 * @returns {{ code: string, mutants: Array<Mutant> }}
 */
export const mutate = (source, file, first) => {
  const { code } = transformSync(source, { loader: "ts", format: "esm", target: "esnext" })
  const mutants = []
  const lineOf = (position) => code.slice(0, position).split("\n").length
  const add = (node, what) => {
    const id = first + mutants.length
    mutants.push({
      id,
      file,
      line: lineOf(node.start),
      what: `${what}: ${code.slice(node.start, node.end)}`,
      near: code.slice(Math.max(0, node.start - 40), node.end + 40).replaceAll(/\s+/g, " "),
      isStatic: depth === 0
    })
    return id
  }
  const decided = (test, printed) => {
    const [always, never] = [add(test, "always"), add(test, "never")]
    return `globalThis.__mutant === ${always} ? true : globalThis.__mutant === ${never} ? false : ${printed}`
  }
  /** How many functions there are around. */
  let depth = 0
  const print = (node) => {
    const isFunction = /^(Arrow)?Function/.test(node.type)
    if (isFunction) depth++
    const printed = within(node)
    if (isFunction) depth--
    return printed
  }
  const within = (node) => {
    if (node.type === "ExportNamedDeclaration" && node.declaration == null) return code.slice(node.start, node.end)
    if (isLeftAlone(node, code)) return code.slice(node.start, node.end)
    let printed = ""
    let from = node.start
    for (const child of childrenOf(node)) {
      // `{ a }` is a key and a value at one place.
      if (child.start < from) continue
      const inner = print(child)
      const isTest = node.type === "IfStatement" && child === node.test
      printed += code.slice(from, child.start) + (isTest ? decided(child, inner) : inner)
      from = child.end
    }
    printed += code.slice(from, node.end)
    for (const [wrong, what] of wrongs(node, code)) {
      printed = `(globalThis.__mutant === ${add(node, what)} ? ${wrong} : ${printed})`
    }
    if (node.type === "ExpressionStatement" && node.directive === undefined) {
      printed = `if (globalThis.__mutant !== ${add(node, "left out")}) { ${printed} }`
    }
    return printed
  }
  return { code: print(parseAst(code)), mutants }
}
