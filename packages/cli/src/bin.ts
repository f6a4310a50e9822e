#!/usr/bin/env node
/**
 * The program `manila`.
 *
 * @since 0.1.0
 */
import { all } from "./Commands.ts"
import { manila } from "./Program.ts"
import { start } from "./Start.ts"

void start(process, process.argv.slice(2), all, manila)
