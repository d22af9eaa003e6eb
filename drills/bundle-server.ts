/** The server as it is built for production, apart from dist/, which a store may be running from. */
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { bundleServer as bundleInto } from '../scripts/bundle-server.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const bundled = new Map<string, Promise<string>>()

/** @returns the path of the program; made once a run, and removed with it */
export function bundleServer(entry = 'server/main.ts'): Promise<string> {
  const made = bundled.get(entry) ?? bundle(entry, bundled.size)
  bundled.set(entry, made)
  return made
}

function bundle(entry: string, nth: number): Promise<string> {
  // Inside the project, so that its packages are found
  const directory = path.join(ROOT, `.cache/drill-${process.pid}-${nth}`)
  mkdirSync(directory, { recursive: true })
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return bundleInto(directory, { entry, sourcemap: false, logLevel: 'error' })
}
