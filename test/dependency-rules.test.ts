/** The dependency rules are tried on a tree with one file that breaks them, so that a rule can't fall silent. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = path.join(import.meta.dirname, '..')

/** @returns the file and the rule of each violation, in a tree of these files */
async function violationsOf(files: Record<string, string>): Promise<string[]> {
  const tree = await mkdtemp(path.join(tmpdir(), 'chaabi-rules-'))
  try {
    for (const [file, text] of Object.entries({ ...files, 'tsconfig.json': '{}' })) {
      await mkdir(path.dirname(path.join(tree, file)), { recursive: true })
      await writeFile(path.join(tree, file), text)
    }
    const config = path.join(ROOT, '.dependency-cruiser.cjs')
    const cruise = path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
    const renamed = path.join(ROOT, 'scripts/typescript-for-rules.mjs')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', renamed, cruise, 'server', '--config', config, '--output-type', 'json'],
      { cwd: tree, maxBuffer: 64 * 1024 * 1024 },
    ).catch((failed: { stdout: string }) => failed)
    const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } }
    return summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`).toSorted()
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}

test('only the module for outbound calls, and what serves by name, may hold an HTTP client', async () => {
  const rule = 'only-the-outbound-module-calls-others'
  const stray = [`import 'node:https'`, `import 'http'`, `import 'node:http2'`, `export * from 'node:https'`]
  const found = await violationsOf({
    ...Object.fromEntries(stray.map((line, n) => [`server/messages/stray-${n}.ts`, `${line}\n`])),
    'server/messages/later.ts': `export const later = () => import('node:https')\n`,
    'server/messages/shape.ts': `import type { ServerResponse } from 'node:http'\nexport type Shape = ServerResponse\n`,
    'server/platform/outbound.ts': `import https from 'node:https'\nexport const ask = https.request\n`,
    'server/platform/http/http.ts': `import { createServer } from 'node:http'\nexport const serve = createServer\n`,
    'server/messages/some.test.ts': `import 'node:http'\n`,
  })
  const broken = ['later', ...stray.map((_, n) => `stray-${n}`)]
  expect(found).toEqual(broken.map((name) => `server/messages/${name}.ts: ${rule}`))
})
