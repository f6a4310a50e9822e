"use strict"
// Runs before anything is installed, so it must be understood by very old versions of Node.
var parts = process.versions.node.split(".")
var major = Number(parts[0])
var minor = Number(parts[1])
if (major < 20 || (major === 20 && minor < 20)) {
  console.error("effect-manila needs Node 20.20 or later; this is Node " + process.versions.node + ".")
  process.exit(1)
}
