#!/usr/bin/env node
/**
 * The program `shakenfist-wait`.
 *
 * @since 0.1.0
 */
import { start } from "../Start.ts"
import { all, listing } from "./Commands.ts"
import { program } from "./Program.ts"

void start(process, process.argv.slice(2), all, program, listing)
