/** The server as it is built for production, apart from dist/, which a store may be running from. */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'

const ROOT = path.resolve(import.meta.dirname, '..')
let bundled: Promise<string> | undefined

/** @returns the path of the program; made once a run, and removed with it */
export function bundleServer(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

async function bundle(): Promise<string> {
  // Inside the project, so that its packages are found
  const directory = path.join(ROOT, `.cache/drill-${process.pid}`)
  mkdirSync(directory, { recursive: true })
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { external: true },
    build: {
      ssr: path.join(ROOT, 'server/main.ts'),
      outDir: directory,
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'main.js' } },
    },
  })
  cpSync(path.join(ROOT, 'server/migrations'), path.join(directory, 'migrations'), { recursive: true })
  return path.join(directory, 'main.js')
}
