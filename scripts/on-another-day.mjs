// Loaded first by every Node of a run on another day (scripts/other-days.ts), so that the whole machine seems to be on
// that day. The library that moves the clock reaches neither programs that are started with an environment of their
// own, nor the times of files, which Node reads from the kernel itself.
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const AHEAD_MS = Number(process.env.FAKETIME) * 1_000
const PASSED_ON = ['LD_PRELOAD', 'FAKETIME', 'NODE_OPTIONS']

const { spawn } = childProcess.ChildProcess.prototype
childProcess.ChildProcess.prototype.spawn = function spawnThere(options) {
  const envPairs = options.envPairs ?? []
  // The library's memory, which another account may not read
  const names = options.uid === undefined ? [...PASSED_ON, 'FAKETIME_SHARED'] : PASSED_ON
  const missing = names.filter((name) => !envPairs.some((pair) => pair.startsWith(`${name}=`)))
  const added = missing.map((name) => `${name}=${process.env[name] ?? ''}`)
  return spawn.call(this, { ...options, envPairs: [...envPairs, ...added] })
}

/** A file that was made now has the kernel's time, and one whose time was set has the time of that day. */
const moved = (stats) => {
  const moveBy = typeof stats.mtimeMs === 'bigint' ? BigInt(AHEAD_MS) : AHEAD_MS
  for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) {
    stats[`${name}Ms`] += moveBy
    stats[name] = new Date(Number(stats[`${name}Ms`]))
  }
  return stats
}
const later = (time, byMs) => new Date((time instanceof Date ? time.getTime() : Number(time) * 1_000) + byMs)

for (const name of ['statSync', 'lstatSync', 'fstatSync']) {
  const own = fs[name]
  fs[name] = (...args) => {
    const stats = own(...args)
    return stats && moved(stats)
  }
}
for (const name of ['stat', 'lstat']) {
  const own = fs.promises[name]
  fs.promises[name] = async (...args) => moved(await own(...args))
}
const { utimesSync } = fs
fs.utimesSync = (file, accessed, changed) => utimesSync(file, later(accessed, -AHEAD_MS), later(changed, -AHEAD_MS))
const { utimes } = fs.promises
fs.promises.utimes = (file, accessed, changed) => utimes(file, later(accessed, -AHEAD_MS), later(changed, -AHEAD_MS))
syncBuiltinESMExports()
