import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../../../contract/errors.ts'
import type { PageStart } from './drawing.ts'
import type { Face } from './page-head.ts'
import { servePages } from './pages.ts'

const NOW = '2026-11-21T10:00:00.000Z'
const SITE: Face = { websiteName: 'Chaabi', websiteTitle: 'Chaabi', accent: 'lime', heroLine: '' }
const VISITOR: PageStart = { user: null, admin: null, site: SITE, language: 'en', now: NOW }

/** Draws what it is given, and says how often it was asked. */
const RENDERER = `
const drawn = ['/', '/login', '/slow']
export const known = [...drawn, '/my-key']
export const isDrawn = (path) => drawn.includes(path)
let count = 0
export function draw(path, search, { theme, language }, boot) {
  if (boot.site.websiteTitle === 'Broken') throw new Error('cannot be drawn')
  if (path === '/slow') for (const until = performance.now() + 150; performance.now() < until;);
  count += 1
  const whose = boot.user ? ' for ' + boot.user.username + ' in ' + boot.zone : ''
  const how = theme + (language === 'en' ? '' : ' in ' + language)
  return '<p>drawing ' + count + ' of ' + path + search + ' ' + how + whose + '</p>'
}`

let directory: string
let app: FastifyInstance
let data: () => PageStart
let chosen: [path: string, language: string][]

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'chaabi-site-'))
  const web = path.join(directory, 'web')
  await mkdir(web)
  await mkdir(path.join(directory, 'render'))
  await cp(path.resolve('web/index.html'), path.join(web, 'index.html'))
  await cp(path.resolve('web/public/unavailable.html'), path.join(web, 'unavailable.html'))
  await writeFile(path.join(directory, 'render/render.js'), RENDERER)
  data = () => VISITOR
  chosen = []
  app = fastify()
  await cp(path.resolve('web/public/manifest.webmanifest'), path.join(web, 'manifest.webmanifest'))
  await servePages(app, {
    directory: web,
    secure: false,
    publicOrigin: 'https://keys.example',
    choose: async (_, __, where, language) => void chosen.push([where, language]),
    boot: async () => data(),
    readFace: async () => data().site,
  })
})
afterEach(async () => {
  await app.close()
  await rm(directory, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('a visitor’s page', () => {
  it('is drawn once for the same data, and anew when that has changed', async () => {
    expect((await get('/')).body).toContain('<div id="root"><p>drawing 1 of / dark</p></div>')
    data = () => ({ ...VISITOR, now: '2026-11-21T10:00:01.000Z' })
    const again = await get('/')
    expect(again.body).toContain('drawing 1 of / dark')
    expect(again.body).toContain('"now":"2026-11-21T10:00:01.000Z"')
    data = () => ({ ...VISITOR, site: { ...SITE, websiteTitle: 'Another' } })
    expect((await get('/')).body).toContain('drawing 2 of / dark')
  })

  it('is drawn in the theme of the cookie', async () => {
    const { body } = await get('/', { cookie: 'theme=light' })
    expect(body).toContain('<html lang="en" data-theme="light"')
    expect(body).toContain('drawing 1 of / light')
    expect((await get('/', { cookie: 'theme=%22><script>' })).body).toContain('data-theme="dark"')
  })

  it('is drawn in its language, and one language never shows in the other', async () => {
    const inEnglish = (await get('/')).body
    expect(inEnglish).toContain('<html lang="en"')
    data = () => ({ ...VISITOR, language: 'hi' })
    const inHindi = (await get('/')).body
    expect(inHindi).toContain('<html lang="hi"')
    expect(inHindi).toContain('drawing 2 of / dark in hi')
    data = () => VISITOR
    for (const accepts of ['br', 'gzip', 'identity'])
      expect((await get('/', { 'accept-encoding': accepts })).headers['content-encoding']).toBe(
        accepts === 'identity' ? undefined : accepts,
      )
    expect((await get('/')).body).toBe(inEnglish)
  })

  it('takes the choice of a language by a plain link, and leads back to no other site', async () => {
    const choose = async (url: string) => (await get(url)).headers['location']
    expect(await choose('/login?next=%2Fbuy&language=hi')).toBe('/login?next=%2Fbuy')
    expect(await choose('/?language=en')).toBe('/')
    expect(await choose('//evil.example/?language=hi')).toBe('/')
    expect(await choose('/%5Cevil.example?language=hi')).toBe('/')
    expect(chosen[0]).toEqual(['/login', 'hi'])
    expect((await get('/?language=xx')).statusCode).toBe(200)
    expect(chosen).toHaveLength(4)
  })

  it('knows its query, as a referral’s link needs it', async () => {
    expect((await get('/login?next=/buy')).body).toContain('of /login?next=/buy dark')
  })

  it('is left to the browser once drawing has taken more than a tenth of the time, and what was saved up', async () => {
    const isDrawn = async (change: number) => {
      data = () => ({ ...VISITOR, site: { ...SITE, websiteTitle: `Change ${change}` } })
      return !(await get('/slow')).body.includes('<div id="root"></div>')
    }
    const outcomes: boolean[] = []
    for (let change = 0; change < 12; change++) outcomes.push(await isDrawn(change))
    expect(outcomes.slice(0, 5)).not.toContain(false)
    expect(outcomes.at(-1)).toBe(false)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await isDrawn(12)).toBe(true)
  })

  it('is left to the browser sooner where it has a query, which takes nothing from the drawing of others', async () => {
    const isDrawn = async (address: string) => !(await get(address)).body.includes('<div id="root"></div>')
    expect(await isDrawn('/slow?1')).toBe(true)
    for (let query = 2; query < 20; query++) expect(await isDrawn(`/slow?${query}`)).toBe(false)
    for (const address of ['/', '/login', '/slow']) expect(await isDrawn(address)).toBe(true)
  })

  it('is the same to every decoder, with each answer’s own time at its end', async () => {
    data = () => ({ ...VISITOR, site: { ...SITE, websiteTitle: 'चाबी ₹' } })
    expect((await get('/')).body).toContain('चाबी ₹')
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      for (const now of [NOW, '2026-11-21T10:00:01.000Z', '2026-11-21T10:00:02.000Z']) {
        data = () => ({ ...VISITOR, site: { ...SITE, websiteTitle: 'चाबी ₹' }, now })
        const { rawPayload, headers } = await get('/', { 'accept-encoding': encoding })
        expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'cookie, accept-encoding' })
        expect(decode(rawPayload).toString()).toBe((await get('/')).body)
      }
      data = () => ({ ...VISITOR, site: { ...SITE, websiteTitle: `Only in ${encoding}` } })
      const { rawPayload } = await get('/', { 'accept-encoding': encoding })
      expect(decode(rawPayload).toString()).toContain(`Only in ${encoding}`)
    }
  })

  it('is left to the browser when it cannot be drawn', async () => {
    data = () => ({ ...VISITOR, site: { ...SITE, websiteTitle: 'Broken' } })
    const answer = await get('/')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain('<div id="root"></div>')
  })
})

it('a page of someone who is signed in is drawn anew each time, and no page is kept', async () => {
  data = () => ({ ...VISITOR, user: { username: 'aarav' } })
  expect((await get('/')).body).toContain('drawing 1 of / dark for aarav')
  const answer = await get('/')
  expect(answer.body).toContain('drawing 2 of / dark for aarav')
  expect(answer.body).toContain('"username":"aarav"')
  expect(answer.headers['cache-control']).toBe('no-store')
  data = () => VISITOR
  const other = await get('/')
  expect(other.body).not.toContain('aarav')
  expect(other.headers['cache-control']).toBe('no-store')
})

it('a page for a logged-in person is drawn in their time zone, or in the store’s if none is known', async () => {
  data = () => ({ ...VISITOR, user: { username: 'aarav' } })
  expect((await get('/')).body).toContain('for aarav in Asia/Kolkata')
  const { body } = await get('/', { cookie: 'zone=Europe/Lisbon' })
  expect(body).toContain('for aarav in Europe/Lisbon')
  expect(body).toContain('"zone":"Europe/Lisbon"')
  expect((await get('/', { cookie: 'zone=No/Such%22%3E' })).body).toContain('for aarav in Asia/Kolkata')
})

it('what a drawn page is drawn with comes before its scripts, which wait for the first paint', async () => {
  const drawn = (await get('/')).body
  expect(drawn).toMatch(/<template id="scripts">[^]*<script type="module"[^>]*><\/script><\/template>/)
  const undrawn = (await get('/my-key')).body
  expect(undrawn).not.toContain('<template')
  expect(undrawn).toMatch(/<script type="module"/)
})

it('text in the data stays text: it ends no script, no title and no attribute', async () => {
  const hostile = '</script></title><script>alert(1)</script>\u2028$&$1'
  data = () => ({ ...VISITOR, user: { username: hostile }, site: { ...SITE, websiteTitle: hostile } })
  const { body } = await get('/my-key')
  expect(body).not.toContain('<script>alert')
  const boot = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(body)?.[1] ?? ''
  expect(JSON.parse(boot)).toMatchObject({ user: { username: hostile }, now: NOW })
})

it('an address that leads nowhere is a 404: a page for people, JSON below /api and for missing files', async () => {
  expect((await get('/my-key')).statusCode).toBe(200)
  const lost = await get('/no-such-page')
  expect(lost.statusCode).toBe(404)
  expect(lost.headers['content-type']).toContain('text/html')
  for (const url of ['/api/no-such-call', '/assets/gone.js']) {
    const answer = await get(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('json')
  }
})

it.each([
  { error: new Refusal('SERVICE_UNAVAILABLE'), status: 503 },
  { error: new Error('a fault of ours'), status: 500 },
])('with $error.message the page says so and tries again', async ({ error, status }) => {
  data = () => {
    throw error
  }
  const answer = await get('/my-key')
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toContain('text/html')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['retry-after']).toBe('5')
  expect(answer.headers['content-security-policy']).toContain("default-src 'self'")
  expect(answer.body).toContain('Try again')
  expect(answer.body).not.toContain('a fault of ours')
})

it('no script runs but the page’s own, and no form is sent by the browser itself', async () => {
  const policy = String((await get('/')).headers['content-security-policy'])
  expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/]+=')+(;|$)/)
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain("form-action 'none'")
})

describe('the face of the store', () => {
  const HOSTILE = '"><script>alert(1)</script>&quot;'
  const tagsOf = (body: string) =>
    Object.fromEntries(
      [...body.matchAll(/<meta property="([^"]+)" content="([^"]*)">/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    )

  it('is in a page that is shared: name, title, headline, and a picture by its whole address', async () => {
    expect(tagsOf((await get('/signup?ref=FRIEND')).body)).toEqual({
      'og:type': 'website',
      'og:site_name': 'Chaabi',
      'og:title': 'Chaabi',
      'og:description': 'Buy time-limited licence keys with UPI. Delivered instantly.',
      'og:image': 'https://keys.example/share.jpg',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'Chaabi',
    })
    data = () => ({ ...VISITOR, site: { ...SITE, heroLine: 'Keys in a minute', shareImage: '/pictures/abc.jpg' } })
    expect(tagsOf((await get('/')).body)).toMatchObject({
      'og:description': 'Keys in a minute',
      'og:image': 'https://keys.example/pictures/abc.jpg',
    })
    expect(tagsOf((await get('/admin')).body)).toEqual({})
  })

  it('names no product and no buyer, whatever the address says', async () => {
    const product = { name: 'Hidden game', picture: '/pictures/hidden.webp' }
    data = () => ({ ...VISITOR, user: { username: 'aarav' }, products: [product] })
    for (const url of ['/', '/buy?product=Hidden+game', '/my-key']) {
      const [head = ''] = (await get(url)).body.split('</head>')
      expect(head).not.toMatch(/hidden|aarav/i)
    }
  })

  it('is only text, in every place', async () => {
    data = () => ({ ...VISITOR, site: { ...SITE, websiteName: HOSTILE, websiteTitle: HOSTILE, heroLine: HOSTILE } })
    const [head = ''] = (await get('/')).body.split('</head>')
    expect(head).not.toContain('<script>alert')
    expect(tagsOf(head)['og:description']).toBe('&quot;>&lt;script>alert(1)&lt;/script>&amp;quot;')
  })

  it('changes the colours by a style sheet that the policy names, and by no other', async () => {
    const policyOf = async () => String((await get('/')).headers['content-security-policy'])
    const plain = await policyOf()
    expect((await get('/')).body).not.toContain('<style>:root')
    data = () => ({ ...VISITOR, site: { ...SITE, accent: 'sky' } })
    const sheet = /<style>(:root[^<]*)<\/style>/.exec((await get('/')).body)?.[1] ?? ''
    expect(sheet).toContain('--color-brand')
    const hash = createHash('sha256').update(sheet).digest('base64')
    expect(await policyOf()).toBe(plain.replace("style-src 'self'", `style-src 'self' 'sha256-${hash}'`))
  })

  it('gives the installed app its name and its logo', async () => {
    const manifest = async () => (await get('/manifest.webmanifest')).json<{ name: string; icons: { src: string }[] }>()
    expect((await manifest()).icons.length).toBeGreaterThan(2)
    data = () => ({ ...VISITOR, site: { ...SITE, websiteName: 'Tempo', logo: '/pictures/abc.webp' } })
    expect(await manifest()).toMatchObject({
      name: 'Tempo',
      short_name: 'Tempo',
      icons: [{ src: '/pictures/abc.webp', type: 'image/webp', sizes: '512x512' }],
    })
    expect((await get('/')).body).toContain('<link rel="icon" href="/pictures/abc.webp">')
  })

  it('makes the panel an app of its own', async () => {
    expect((await get('/')).body).toContain('<link rel="manifest" href="/manifest.webmanifest">')
    for (const page of ['/admin', '/admin/key-manager', '/admin-login'])
      expect((await get(page)).body).toContain('<link rel="manifest" href="/admin.webmanifest">')
    const manifest = (await get('/admin.webmanifest')).json<object>()
    expect(manifest).toMatchObject({ name: 'Chaabi admin', id: '/admin', start_url: '/admin', scope: '/admin' })
  })

  it('asks for a shared statement again when no service worker took it, and reads nothing of it', async () => {
    const { share_target: target } = (await get('/admin.webmanifest')).json<{ share_target: { action: string } }>()
    const type = 'multipart/form-data; boundary=x'
    const payload = `--x\r\n${'a'.repeat(1_000_000)}`
    const headers = { 'content-type': type, 'sec-fetch-site': 'none' }
    const answer = await app.inject({ method: 'POST', url: target.action, headers, payload })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers['location']).toBe('/admin/payment-manager?shared=lost')
  })
})
