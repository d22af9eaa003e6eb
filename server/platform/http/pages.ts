/**
 * The web pages: one HTML file with the data it starts with inside, drawn here (docs/decisions/0011), and the
 * built assets, which never change under their names and are sent precompressed.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import { cookieIn } from './cookies.ts'
import { serveFiles } from './kept-files.ts'
import { sendPage, type Fronts } from './kept-fronts.ts'
import { logOf } from './requests.ts'
import { viewerZone } from './viewer-zone.ts'

/** What this module reads of a page's data (contract/page.ts). The rest is the browser's affair. */
export interface PageStart {
  user: object | null
  admin: object | null
  /** Why a buyer's cookie counts no more: told to that one browser. */
  refusal?: string
  site: { websiteTitle: string }
  now: string
  /** Of dates in a page that is drawn for somebody who is signed in. */
  zone?: string
}

interface PagesOptions {
  /** Where the build has put index.html and assets/; beside it may be render/, which draws pages. */
  directory: string
  secure: boolean
  /** The data that the page of this path starts with, for whoever asks. */
  boot(request: FastifyRequest, reply: FastifyReply, path: string): Promise<PageStart>
}

type Theme = 'dark' | 'light'

/** What web/server.tsx exports. */
interface Renderer {
  known: readonly string[]
  isDrawn(path: string, boot: PageStart): boolean
  draw(path: string, search: string, theme: Theme, boot: PageStart): string
}

const YEAR_S = 31_536_000

export async function servePages(app: FastifyInstance, { directory, secure, boot }: PagesOptions): Promise<void> {
  const page = await readFile(path.join(directory, 'index.html'), 'utf8')
  const panelPage = await withPanelStyles(directory, page)
  const fill = template(page)
  const fillDrawn = template(startWhenPainted(page))
  const fillPanel = template(startWhenPainted(panelPage))
  const policy = contentPolicy([page, startWhenPainted(panelPage)], secure)
  const preloads = await screenPreloads(directory, page)
  const renderer = await loadRenderer(path.join(directory, '../render/render.js'))
  const draw = renderer && drawWithin(renderer)
  const fronts: Fronts = new Map()

  await serveFiles(app, directory, {
    hidden: (name) => name === 'index.html' || name === 'unavailable.html' || name.endsWith('.map'),
    headersOf: (name) => ({
      'cache-control': cachingOf(name),
      // What is a page of its own, and the worker, which fetches: the rest is never drawn nor run by itself
      ...(/\.html$|^sw\.js$/.test(name) && { 'content-security-policy': policy }),
    }),
  })

  app.get('/*', { errorHandler: await apologise(directory, policy) }, async (request, reply) => {
    const { where, search } = addressOf(request)
    if (where.startsWith('/api/') || where === '/api' || /\.\w{2,5}$/.test(where)) return reply.callNotFound()
    const { now, ...rest } = await boot(request, reply, where)
    const theme = cookieIn(request, 'theme') === 'light' ? 'light' : 'dark'
    const isVisitor = rest.user === null && rest.admin === null && rest.refusal === undefined
    const zone = isVisitor ? undefined : viewerZone(cookieIn(request, 'zone'))
    const data = zone ? { ...rest, zone: zone.spelled } : rest
    const json = inertJson(data)
    let root = ''
    try {
      root =
        draw?.({ where, search, theme, json, isVisitor, data: { ...data, now, ...(zone && { zone: zone.own }) } }) ?? ''
    } catch (err) {
      // The browser draws it as it does all others
      logOf(request).error({ err, path: where }, 'a page could not be drawn')
    }
    const isKnown = renderer?.known.includes(where)
    void reply
      .code(renderer && !isKnown ? 404 : 200)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'cookie, accept-encoding')
      .header('content-security-policy', isAdminPath(where) ? `${policy}; ${NO_TEXT_AS_CODE}` : policy)
    const fillIn = root === '' ? fill : isAdminPath(where) ? fillPanel : fillDrawn
    const links = preloads(where)
    const { front, end } = fillIn({
      theme,
      title: escapeHtml(rest.site.websiteTitle),
      preloads: links,
      root,
      boot: `<script type="application/json" id="boot">${json.slice(0, -1)},"now":`,
      bootEnd: `${inertJson(now)}}</script>`,
    })
    // Pages of one person, and of an address that anyone may make up, are kept nowhere
    if (!isVisitor || (root !== '' && search !== '')) return reply.send(front + end)
    const name = `${theme} ${isKnown ? where : ''} ${root !== ''}`
    return sendPage({ request, reply, fronts }, name, { source: [json, root, links], front, end })
  })
}

/** The path as the screens know it, and the query with its question mark. */
function addressOf(request: FastifyRequest): { where: string; search: string } {
  const [, where = '/', search = ''] = /^([^?]*)(.*)$/s.exec(request.url) ?? []
  return { where: where.length > 1 ? withoutSlashes(where) : where, search: search.length > 1 ? search : '' }
}

/** Without those at the end. A pattern would look at each run of slashes in it once for each slash of the run. */
function withoutSlashes(where: string): string {
  let end = where.length
  while (where[end - 1] === '/') end--
  return where.slice(0, end)
}

function cachingOf(file: string): string {
  if (file.startsWith('assets/')) return `public, max-age=${YEAR_S}, immutable`
  // A worker that a browser keeps would outlive its store: it is asked for anew each time
  return file === 'sw.js' ? 'no-cache' : 'public, max-age=3600'
}

interface Filling {
  theme: Theme
  title: string
  preloads: string
  root: string
  boot: string
  /** What differs from each answer to the next. */
  bootEnd: string
}

const PLACES =
  /(?<=<html[^>]* data-theme=")\w+(?=")|(?<=<title>)[^<]*(?=<\/title>)|<!--preloads-->|(?<=<div id="root">)(?=<\/div>)|<!--boot-->/

/** The page, cut once at the places that differ from answer to answer. */
function template(page: string): (filling: Filling) => { front: string; end: string } {
  const parts = page.split(PLACES)
  if (parts.length !== 6) throw new Error(`index.html has ${parts.length - 1} of the 5 places for what differs`)
  const [a, b, c, d, e, f] = parts
  return ({ theme, title, preloads, root, boot, bootEnd }) => ({
    front: a + theme + b + title + c + preloads + d + root + e + boot,
    end: bootEnd + f,
  })
}

async function loadRenderer(file: string): Promise<Renderer | undefined> {
  return existsSync(file) ? ((await import(pathToFileURL(file).href)) as Renderer) : undefined
}

interface Drawing {
  where: string
  search: string
  theme: Theme
  /** The data as text: a drawing of the same is the same. */
  json: string
  isVisitor: boolean
  data: PageStart
}

/**
 * Shares of the time that go into drawing, however many pages are asked for: what is over a share is left to the
 * browsers, which draw a page of the same data themselves. What was not used is saved up, for a store that has just begun.
 */
const DRAWING = { share: 0.1, savedMsMax: 1_000 }
/** Of pages for visitors whose address has a query: anyone may make up as many as they like, and each is drawn for one. */
const DRAWING_QUERIES = { share: 0.02, savedMsMax: 100 }

/**
 * Draws a page unless it was just drawn; each path keeps its last drawing for visitors in either theme, so that memory is
 * bounded. What is drawn for somebody who is signed in is kept nowhere.
 */
function drawWithin({ isDrawn, draw }: Renderer): (drawing: Drawing) => string {
  const last = new Map<string, { json: string; html: string }>()
  const spend = allowance(DRAWING)
  const spendOnQueries = allowance(DRAWING_QUERIES)
  return ({ where, search, theme, json, isVisitor, data }) => {
    if (!isDrawn(where, data)) return ''
    const name = `${theme} ${where}`
    const isKept = isVisitor && search === ''
    const kept = isKept ? last.get(name) : undefined
    if (kept?.json === json) return kept.html
    const within = isVisitor && !isKept ? spendOnQueries : spend
    const own = { now: data.now, ...(data.zone !== undefined && { zone: data.zone }) }
    // What the browser will have: moments as text, say, and nothing that has no place in JSON
    const html = within(() => draw(where, search, theme, { ...(JSON.parse(json) as PageStart), ...own }))
    if (html === undefined) return ''
    if (isKept) last.set(name, { json, html })
    return html
  }
}

/** @returns does a piece of work, unless the share of the time is used up */
function allowance({ share, savedMsMax }: typeof DRAWING): <Result>(work: () => Result) => Result | undefined {
  let savedMs = savedMsMax
  let since = performance.now()
  return (work) => {
    const start = performance.now()
    savedMs = Math.min(savedMsMax, savedMs + (start - since) * share)
    since = start
    if (savedMs <= 0) return undefined
    try {
      return work()
    } finally {
      savedMs -= performance.now() - start
    }
  }
}

/** A page that says that the store can't be reached just now, and tries again by itself. */
async function apologise(directory: string, policy: string) {
  const page = await readFile(path.join(directory, 'unavailable.html'), 'utf8')
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const isAway = error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE'
    if (isAway) logOf(request).warn({ err: error.cause, path: addressOf(request).where }, 'database away or busy')
    else logOf(request).error({ err: error, path: addressOf(request).where }, 'failed')
    void reply
      .code(isAway ? 503 : 500)
      .type('text/html; charset=utf-8')
      .header('retry-after', '5')
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy)
      .send(page)
  }
}

/**
 * For the panel's pages: no text is ever made into markup or script there. React needs no policy for that, so none can be
 * made either, and what a hostile text might reach (`innerHTML`, `eval`, a script's address) throws.
 */
const NO_TEXT_AS_CODE = "require-trusted-types-for 'script'; trusted-types 'none'"

function isAdminPath(where: string): boolean {
  return /^\/admin(?:-login)?(?:\/|$)/i.test(where)
}

/**
 * For a page that shows without its scripts: they come when it is on the screen, and are not before it on the line. Should
 * the browser not tell of that, or the page be in the background, they come after a moment. They run one after the other,
 * each in a task of its own: out of a template, they would run in any order and the last one's imports with it.
 */
const START = `
      {
        const start = () => {
          const { content } = document.getElementById('scripts')
          for (const script of content.querySelectorAll('script')) script.async = false
          document.head.append(content)
        }
        new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
        setTimeout(start, 1000)
      }
    `

function startWhenPainted(page: string): string {
  return page
    .replace(/<!--preloads-->(?:\s*<script type="module"[^>]*><\/script>)+/, '<template id="scripts">$&</template>')
    .replace('</body>', () => `  <script>${START}</script>\n  </body>`)
}

/** The panel's page with the panel's style sheet inlined, which has all that the store's own has. */
async function withPanelStyles(directory: string, page: string): Promise<string> {
  const chunks = await manifestOf(directory)
  const [file] = chunks['shell/admin-shell.tsx']?.css ?? []
  if (file === undefined) return page
  const sheet = await readFile(path.join(directory, file), 'utf8')
  // The links that are off tell the loader of chunks that the rules are there
  return page.replace(
    /<style>[\s\S]*?<\/style>/,
    () => `<style>${sheet.trim()}</style><link rel="stylesheet" href="/${file}" disabled>`,
  )
}

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

/** What the build has made of what; nothing where there is no build. */
async function manifestOf(directory: string): Promise<Record<string, Chunk>> {
  const text = await readFile(path.join(directory, '.vite/manifest.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text) as Record<string, Chunk>
}

/**
 * The scripts of each screen that the page does not bring itself, as links: the browser then fetches them beside the first
 * file and not after it has run. A screen's address ends as its file is called: /my-key, my-key-screen.tsx. The panel's
 * have its frame around them.
 */
async function screenPreloads(directory: string, page: string): Promise<(where: string) => string> {
  const chunks = await manifestOf(directory)
  const filesOf = (key: string, found = new Set<string>()): Set<string> => {
    const chunk = chunks[key]
    if (!chunk || found.has(chunk.file)) return found
    found.add(chunk.file)
    for (const name of chunk.imports ?? []) filesOf(name, found)
    return found
  }
  const links = new Map<string, string>()
  for (const key of Object.keys(chunks)) {
    const name = /\/([\w-]+)-screen\.tsx$/.exec(key)?.[1]
    if (name === undefined) continue
    const addLinks = (address: string, ...keys: string[]) => {
      const files = new Set(keys.flatMap((each) => [...filesOf(each)]))
      const missing = [...files].filter((file) => !page.includes(file))
      links.set(address, missing.map((file) => `<link rel="modulepreload" href="/${file}">`).join(''))
    }
    addLinks(`/${name}`, key)
    for (const address of name === 'admin-dashboard' ? ['/admin', '/admin/dashboard'] : [`/admin/${name}`])
      addLinks(address, 'shell/admin-shell.tsx', key)
  }
  return (where) => links.get(where) ?? ''
}

/** Only what this page is made of: its own scripts, what is inlined by its hash, nothing from elsewhere. */
function contentPolicy(pages: readonly string[], secure: boolean): string {
  const inlined = (tag: string) =>
    [...pages.join('').matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
      ([, text = '']) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    )
  return [
    "default-src 'self'",
    `script-src 'self'${inlined('script').join('')}`,
    `style-src 'self'${inlined('style').join('')}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // Forms are sent by script. One that is sent before the script is there would put a password into the address.
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** JSON that cannot end the script element it stands in. */
function inertJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
