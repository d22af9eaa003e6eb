/**
 * Files that a browser may fetch: those that the build made for it, and none beside them (security.md: 5.3.2,
 * 13.4.1–13.4.5, 15.2.3).
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PANEL_FRAME } from '../../server/platform/http/pages/built-screens.ts'
import { openShop } from '../worlds/shop.ts'
import { withStore } from '../store.ts'

const CANARY = 'CANARY-FILE-5c1e'
/** Beside the pages, or among them by an accident of the build. */
const HIDDEN = [
  '.env',
  'package.json',
  'server/main.js',
  'render/render.js',
  'data/secret.key',
  'web/.env',
  'web/.git/config',
  'web/.vite/manifest.json',
  'web/assets/app.js.map',
  'web/index.html.map',
]

let root: string

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'chaabi-files-'))
  for (const file of HIDDEN) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), file.endsWith('.json') ? `{"${CANARY}":{"file":"x"}}` : `// ${CANARY}`)
  }
  writeFileSync(
    path.join(root, 'render/render.js'),
    `export const drawn = [], known = ['/'], draw = () => '' // ${CANARY}`,
  )
  writeFileSync(
    path.join(root, 'web/.vite/manifest.json'),
    JSON.stringify({ [CANARY]: { file: 'x' }, [PANEL_FRAME]: { file: 'x', css: ['assets/panel.css'] } }),
  )
  writeFileSync(path.join(root, 'web/assets/panel.css'), 'the sheet of the panel')
  writeFileSync(path.join(root, 'web/assets/app.js'), 'the script of the page')
  cpSync('web/index.html', path.join(root, 'web/index.html'))
  cpSync('web/public/unavailable.html', path.join(root, 'web/unavailable.html'))
})

afterAll(() => rmSync(root, { recursive: true }))

/** The path goes out as it is written: a browser's client would tidy it up first. */
function ask(url: string, target: string, cookie = ''): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`),
    )
    socket.on('data', (data: Buffer) => (answer += data.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

const WAYS_UP = [
  '',
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%5c',
  '..%252f',
  '....//',
  './',
  '%2f',
  '..;/',
  '%c0%ae%c0%ae/',
]

test('v5.0.0-13.4.1 v5.0.0-5.3.2 no way of writing a path gives a file that is not for browsers', () =>
  withStore(
    async (store) => {
      const { owner } = await openShop(store)
      const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ')
      expect(await ask(store.url, '/assets/app.js')).toContain('the script of the page')
      for (const file of HIDDEN)
        for (const up of WAYS_UP)
          for (const before of ['/', '/assets/', '//', '/api/', '/assets/../']) {
            const target = `${before}${up}${up}${file.replace('web/', '')}`
            expect(await ask(store.url, target, cookie), target).not.toContain(CANARY)
            if (up === '') expect(await ask(store.url, `${before}${file}%00.js`), target).not.toContain(CANARY)
          }
    },
    { webDirectory: path.join(root, 'web') },
  ))

const PROBED = (
  'admin debug test tests seed reset dump backup console status health-check metrics env config actuator graphql ' +
  'swagger swagger.json api-docs openapi docs phpinfo.php server-status users .well-known/security.txt'
).split(' ')

test('v5.0.0-15.2.3 v5.0.0-13.4.5 nothing answers under the names that attackers try first', () =>
  withStore(
    async (store) => {
      const { owner } = await openShop(store)
      // Both are in the contract, and have tests of their own
      const known = new Set(['metrics', 'docs'])
      for (const name of PROBED)
        for (const browser of [store.browser(), owner]) {
          const { status, body } = await browser.get(`/${name}`)
          if (known.has(name)) continue
          expect([401, 403, 404], `${name}: ${status} ${JSON.stringify(body)}`).toContain(status)
        }
      for (const name of PROBED.filter((each) => each !== 'admin'))
        expect(await ask(store.url, `/${name}`), name).toMatch(/^HTTP\/1\.1 404 /)
    },
    { webDirectory: path.join(root, 'web') },
  ))
