/** Compiles the examples of the documents; an error names the document and the line. */
import { blocks, compile } from "./lib/docs.mjs"

const { passed, said, count } = compile(blocks())
process.stdout.write(said)
console.log(`${count} examples`)
process.exit(passed ? 0 : 1)
