/**
 * Serves the web pages and the built assets. A page is one HTML file that contains its data and is drawn here
 * (docs/decisions/0011). Assets never change under their names and are sent precompressed.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_ACCENT, type Accent } from '../../../../contract/accents.ts'
import { languageOf, type Language } from '../../../../contract/languages.ts'
import { Refusal } from '../../../../contract/errors.ts'
import { apologise } from './apology.ts'
import { screenPreloads, withPanelStyles } from './built-screens.ts'
import { cookieIn } from '../cookies.ts'
import { serveFiles } from './kept-files.ts'
import { drawWithin, loadRenderer, type Look, type PageStart } from './drawing.ts'
import {
  ACCENT_HASHES,
  HEAD_PLACE,
  headOf,
  MANIFEST,
  serveManifest,
  SHARE_PATH,
  titleOf,
  type Face,
  type ReadFace,
} from './page-head.ts'
import { sendPage, type Fronts } from './kept-fronts.ts'
import { logOf } from '../requests.ts'
import { viewerZone } from './viewer-zone.ts'

interface PagesOptions {
  /** The build's directory with index.html and assets/. Next to it may be render/, which draws pages. */
  directory: string
  secure: boolean
  /** The origin at which messengers find the pictures of shared links. */
  publicOrigin: string | undefined
  readFace: ReadFace
  /** Keeps the language that a caller has chosen on the page of this path. */
  choose(request: FastifyRequest, reply: FastifyReply, path: string, language: Language): Promise<void>
  /** Returns the data that the page of this path starts with, for this caller. */
  boot(request: FastifyRequest, reply: FastifyReply, path: string): Promise<PageStart>
}

const YEAR_S = 31_536_000

export async function servePages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const { directory, secure, publicOrigin, boot } = options
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
    hidden: (name) => ['index.html', 'unavailable.html', MANIFEST].includes(name) || name.endsWith('.map'),
    headersOf: (name) => ({
      'cache-control': cachingOf(name),
      // Only pages and the worker, which fetches, because nothing else is drawn or run alone
      ...(/\.html$|^sw\.js$/.test(name) && { 'content-security-policy': policy }),
    }),
  })
  await serveManifest(app, directory, options.readFace)
  await app.register(answerShare)

  // The last one seen: a store that is away can't be asked
  let accent: Accent = DEFAULT_ACCENT
  const apology = await apologise(directory, policy, () => accent)
  app.get('/*', { errorHandler: apology }, async (request, reply) => {
    const { where, search } = addressOf(request)
    if (where.startsWith('/api/') || where === '/api' || /\.\w{2,5}$/.test(where)) return reply.callNotFound()
    const isKnown = renderer?.known.includes(where)
    const chosen = chosenIn(search)
    if (chosen) {
      await options.choose(request, reply, where, chosen.language)
      // Only paths of screens, because another path could lead to another site
      return reply.redirect((isKnown ? where : '/') + chosen.search, 303)
    }
    const { now, language, subject, ...rest } = await boot(request, reply, where)
    accent = rest.site.accent
    const known = subject && knownAddress(search, subject('en').title)
    if (known) return reply.redirect(where + known, 303)
    const look: Look = { theme: cookieIn(request, 'theme') === 'light' ? 'light' : 'dark', language }
    const isVisitor = rest.user === null && rest.admin === null && rest.refusal === undefined
    const zone = isVisitor ? undefined : viewerZone(cookieIn(request, 'zone'))
    const data = zone ? { ...rest, zone: zone.spelled } : rest
    const json = inertJson(data)
    let root = ''
    try {
      root =
        draw?.({ where, search, look, json, isVisitor, data: { ...data, now, ...(zone && { zone: zone.own }) } }) ?? ''
    } catch (err) {
      // The browser draws the page instead
      logOf(request).error({ err, path: where }, 'a page could not be drawn')
    }
    void reply
      .code(renderer && !isKnown ? 404 : 200)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'cookie, accept-encoding')
      .header(
        'content-security-policy',
        withAccent(isAdminPath(where) ? `${policy}; ${NO_TEXT_AS_CODE}` : policy, rest.site),
      )
    const fillIn = root === '' ? fill : isAdminPath(where) ? fillPanel : fillDrawn
    const links = preloads(where)
    const { front, end } = fillIn({
      ...look,
      title: escapeHtml(titleOf(rest.site, language)),
      head: headOf(rest.site, language, { publicOrigin, isShared: !isAdminPath(where), subject: subject?.(language) }),
      preloads: links,
      root,
      boot: `<script type="application/json" id="boot">${json.slice(0, -1)},"now":`,
      bootEnd: `${inertJson(now)}}</script>`,
    })
    // Keeps no page of one person or product, and none of an address that anyone can invent
    if (!isVisitor || subject !== undefined || (root !== '' && search !== '')) return reply.send(front + end)
    const name = `${language} ${look.theme} ${isKnown ? where : ''} ${root !== ''}`
    return sendPage({ request, reply, fronts }, name, { source: [json, root, links], front, end })
  })
}

/**
 * A shared statement is not read here. Its service worker asks whether another site has sent it, and keeps it if not.
 * Where there is no worker, the panel says that the file is lost, and asks for it.
 */
function answerShare(scope: FastifyInstance, _: object, done: () => void): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, body, read) => {
    body.resume()
    body.on('end', () => read(null)).on('error', read)
  })
  scope.post(SHARE_PATH, (request, reply) => {
    // Android's share sheet is no page, so its Origin is null, as that of many a forged form
    const site = request.headers['sec-fetch-site']
    if (site !== 'none' && site !== 'same-origin') throw new Refusal('CROSS_SITE')
    return reply.redirect('/admin/payment-manager?shared=lost', 303)
  })
  done()
}

/** Returns the path as the screens know it, and the query with its question mark. */
function addressOf(request: FastifyRequest): { where: string; search: string } {
  const [, where = '/', search = ''] = /^([^?]*)(.*)$/s.exec(request.url) ?? []
  return { where: where.length > 1 ? withoutSlashes(where) : where, search: search.length > 1 ? search : '' }
}

/** Reads `?language=hi`, which a plain link adds to choose one. @returns the rest of the query, too */
function chosenIn(search: string): { language: Language; search: string } | undefined {
  const query = new URLSearchParams(search)
  const language = languageOf(query.get('language') ?? undefined)
  if (!language) return undefined
  query.delete('language')
  return { language, search: query.size > 0 ? `?${query.toString()}` : '' }
}

/** Screens know a product by its English name. @returns the query with it, if the link has another name */
function knownAddress(search: string, name: string): string | undefined {
  const query = new URLSearchParams(search)
  if (query.get('product')?.trim().toLowerCase() === name.toLowerCase()) return undefined
  query.set('product', name)
  return `?${query.toString()}`
}

/** Drops slashes at the end. A pattern would take quadratic time for a long run of slashes. */
function withoutSlashes(where: string): string {
  let end = where.length
  while (where[end - 1] === '/') end--
  return where.slice(0, end)
}

function cachingOf(file: string): string {
  if (file.startsWith('assets/')) return `public, max-age=${YEAR_S}, immutable`
  // Browsers check the worker each time, because a cached one would outlive its store
  return file === 'sw.js' ? 'no-cache' : 'public, max-age=3600'
}

interface Filling extends Look {
  title: string
  /** The description, icons and colours of the store. */
  head: string
  preloads: string
  root: string
  boot: string
  /** The part that differs in each answer. */
  bootEnd: string
}

const PLACES = new RegExp(
  [
    /(?<=<html lang=")\w+(?=")/,
    /(?<=<html[^>]* data-theme=")\w+(?=")/,
    /(?<=<title>)[^<]*(?=<\/title>)/,
    HEAD_PLACE,
    /<!--preloads-->/,
    /(?<=<div id="root">)(?=<\/div>)/,
    /<!--boot-->/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Cuts the page once, at the places that differ from answer to answer. */
function template(page: string): (filling: Filling) => { front: string; end: string } {
  const parts = page.split(PLACES)
  if (parts.length !== 8) throw new Error(`index.html has ${parts.length - 1} of the 7 places for what differs`)
  const [a, b, c, d, e, f, g, h] = parts
  return ({ language, theme, title, head, preloads, root, boot, bootEnd }) => ({
    front: a + language + b + theme + c + title + d + head + e + preloads + f + root + g + boot,
    end: bootEnd + h,
  })
}

/**
 * On the panel's pages no text may become markup or script. React needs no policy for that. The only one that can be
 * created knows the address of the service worker and no other.
 * Sinks that a hostile text might reach (`innerHTML`, `eval`, a script's address) throw.
 */
const NO_TEXT_AS_CODE =
  "require-trusted-types-for 'script'; trusted-types service-worker pdf-worker file-reader key-reader"

function isAdminPath(where: string): boolean {
  return /^\/admin(?:-login)?(?:\/|$)/i.test(where)
}

/**
 * Loads the scripts of a drawn page after its first paint, so that they don't delay it. If the browser does not report
 * the paint, or the page is in the background, they load after a second. They run one after the other, each in a task
 * of its own. Out of a template they would otherwise run in any order.
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

/** Allows only the page's own parts: its scripts, inlined text by its hash, nothing from elsewhere. */
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
    // Scripts send forms. A form sent before its script would put a password into the address.
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

/** Allows the style sheet of the store's accent as well. */
function withAccent(policy: string, { accent }: Face): string {
  return policy.replace("style-src 'self'", (start) => start + ACCENT_HASHES[accent])
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Writes JSON that cannot end the script element around it. */
function inertJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
