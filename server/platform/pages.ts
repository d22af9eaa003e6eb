/**
 * The web pages: one HTML file with the data it starts with inside, drawn here for visitors (docs/decisions/0011), and
 * the built assets, which never change under their names and are sent precompressed.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import staticPlugin from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import { cookiesIn } from './cookies.ts'
import { logOf } from './requests.ts'

/** The data of a page. What is not named here is the browser's affair. */
export interface PageData {
  user: object | null
  admin: object | null
  site: { websiteTitle: string }
  now: string
}

interface PagesOptions {
  /** Where the build has put index.html and assets/; beside it may be render/, which draws pages. */
  directory: string
  secure: boolean
  /** The data that the page of this path starts with, for whoever asks. */
  boot(request: FastifyRequest, reply: FastifyReply, path: string): Promise<PageData>
}

type Theme = 'dark' | 'light'

/** What web/server.tsx exports. */
interface Renderer {
  drawn: readonly string[]
  known: readonly string[]
  draw(path: string, search: string, theme: Theme, boot: PageData): string
}

const YEAR_S = 31_536_000

export async function servePages(app: FastifyInstance, { directory, secure, boot }: PagesOptions): Promise<void> {
  const page = await readFile(path.join(directory, 'index.html'), 'utf8')
  const fill = template(page)
  // A page that is drawn already shows without its script: what it is drawn with comes first.
  const fillDrawn = template(page.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"'))
  const policy = contentPolicy(page, secure)
  const preloads = await screenPreloads(directory, page)
  const renderer = await loadRenderer(path.join(directory, '../render/render.js'))
  const draw = renderer && drawWithin(renderer)

  await app.register(staticPlugin, {
    root: directory,
    index: false,
    preCompressed: true,
    wildcard: false,
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', 'index.html', 'unavailable.html', '.vite/**', '**/*.map'],
    setHeaders: (response, file) => {
      const name = file.replace(/\.(br|gz)$/, '')
      response.setHeader('cache-control', cachingOf(name))
      response.setHeader('vary', 'accept-encoding')
      // What is a page of its own, and the worker, which fetches: the rest is never drawn nor run by itself
      if (/\.html$|\/sw\.js$/.test(name)) response.setHeader('content-security-policy', policy)
    },
  })

  app.get('/*', { errorHandler: await apologise(directory, policy) }, async (request, reply) => {
    const { where, search } = addressOf(request)
    if (where.startsWith('/api/') || where === '/api' || /\.\w{2,5}$/.test(where)) return reply.callNotFound()
    const { now, ...rest } = await boot(request, reply, where)
    const theme = cookiesIn(request).theme === 'light' ? 'light' : 'dark'
    const json = inertJson(rest)
    const isVisitor = rest.user === null && rest.admin === null
    let root = ''
    try {
      if (isVisitor) root = draw?.({ where, search, theme, json, data: { ...rest, now } }) ?? ''
    } catch (err) {
      // The browser draws it as it does all others
      logOf(request).error({ err, path: where }, 'a page could not be drawn')
    }
    return reply
      .code(renderer && !renderer.known.includes(where) ? 404 : 200)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'cookie, accept-encoding')
      .header('content-security-policy', isAdminPath(where) ? `${policy}; ${NO_TEXT_AS_CODE}` : policy)
      .send(
        (root === '' ? fill : fillDrawn)({
          theme,
          title: escapeHtml(rest.site.websiteTitle),
          preloads: preloads.get(where.split('/').at(-1) ?? '') ?? '',
          root,
          boot: `<script type="application/json" id="boot">${json.slice(0, -1)},"now":${inertJson(now)}}</script>`,
        }),
      )
  })
}

/** The path as the screens know it, and the query with its question mark. */
function addressOf(request: FastifyRequest): { where: string; search: string } {
  const [, where = '/', search = ''] = /^([^?]*)(.*)$/s.exec(request.url) ?? []
  return { where: where.length > 1 ? where.replace(/\/+$/, '') : where, search: search.length > 1 ? search : '' }
}

function cachingOf(file: string): string {
  if (file.includes('/assets/')) return `public, max-age=${YEAR_S}, immutable`
  // A worker that a browser keeps would outlive its store: it is asked for anew each time
  return file.endsWith('/sw.js') ? 'no-cache' : 'public, max-age=3600'
}

interface Filling {
  theme: Theme
  title: string
  preloads: string
  root: string
  boot: string
}

const PLACES =
  /(?<=<html[^>]* data-theme=")\w+(?=")|(?<=<title>)[^<]*(?=<\/title>)|<!--preloads-->|(?<=<div id="root">)(?=<\/div>)|<!--boot-->/

/** The page, cut once at the places that differ from answer to answer. */
function template(page: string): (filling: Filling) => string {
  const parts = page.split(PLACES)
  if (parts.length !== 6) throw new Error(`index.html has ${parts.length - 1} of the 5 places for what differs`)
  const [a, b, c, d, e, f] = parts
  return ({ theme, title, preloads, root, boot }) => a + theme + b + title + c + preloads + d + root + e + boot + f
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
  data: PageData
}

/**
 * A tenth of the time goes into drawing, however many pages are asked for: what is over it is left to the browsers, which
 * draw a page of the same data themselves. What was not used is saved up, for a store that has just begun.
 */
const DRAWING_SHARE = 0.1
const DRAWING_SAVED_MS_MAX = 1_000

/** Draws a page unless it was just drawn; each path keeps its last drawing in either theme, so that memory is bounded. */
function drawWithin({ drawn, draw }: Renderer): (drawing: Drawing) => string {
  const last = new Map<string, { json: string; html: string }>()
  let savedMs = DRAWING_SAVED_MS_MAX
  let since = performance.now()
  return ({ where, search, theme, json, data }) => {
    if (!drawn.includes(where)) return ''
    const name = `${theme} ${where}`
    const kept = search === '' ? last.get(name) : undefined
    if (kept?.json === json) return kept.html
    const start = performance.now()
    savedMs = Math.min(DRAWING_SAVED_MS_MAX, savedMs + (start - since) * DRAWING_SHARE)
    since = start
    if (savedMs <= 0) return ''
    const html = draw(where, search, theme, data)
    savedMs -= performance.now() - start
    if (search === '') last.set(name, { json, html })
    return html
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

interface Chunk {
  file: string
  imports?: string[]
}

/**
 * The scripts of each screen that the page does not bring itself, as links: the browser then fetches them beside the first
 * file and not after it has run. A screen's address ends as its file is called: /my-key, my-key-screen.tsx.
 */
async function screenPreloads(directory: string, page: string): Promise<Map<string, string>> {
  const text = await readFile(path.join(directory, '.vite/manifest.json'), 'utf8').catch(() => '{}')
  const chunks = JSON.parse(text) as Record<string, Chunk>
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
    const files = [...filesOf(key)].filter((file) => !page.includes(file))
    links.set(name, files.map((file) => `<link rel="modulepreload" href="/${file}">`).join(''))
  }
  return links
}

/** Only what this page is made of: its own scripts, what is inlined by its hash, nothing from elsewhere. */
function contentPolicy(page: string, secure: boolean): string {
  const inlined = (tag: string) =>
    [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
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
