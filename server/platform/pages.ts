/**
 * The web pages: one HTML file with the data it starts with inside, and the built assets, which never change
 * under their names and are sent precompressed.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import staticPlugin from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

interface PagesOptions {
  /** Where the build has put index.html and assets/. */
  directory: string
  secure: boolean
  /** The data a page starts with, for whoever asks. */
  boot(request: FastifyRequest, reply: FastifyReply): Promise<Record<string, unknown>>
}

const YEAR_S = 31_536_000

export async function servePages(app: FastifyInstance, { directory, secure, boot }: PagesOptions): Promise<void> {
  const page = await readFile(path.join(directory, 'index.html'), 'utf8')
  const policy = contentPolicy(page, secure)
  const preloads = await screenPreloads(directory, page)

  await app.register(staticPlugin, {
    root: directory,
    index: false,
    preCompressed: true,
    wildcard: false,
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', 'index.html', '.vite/**', '**/*.map'],
    setHeaders: (response, file) => {
      response.setHeader(
        'cache-control',
        file.includes('/assets/') ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=3600',
      )
    },
  })

  app.get('/*', async (request, reply) => {
    const [where = ''] = request.url.split('?')
    if (request.url.startsWith('/api/') || request.url === '/api' || /\.\w{2,5}$/.test(where))
      return reply.callNotFound()
    const data = await boot(request, reply)
    const theme = request.cookies.theme === 'light' ? 'light' : 'dark'
    const { websiteTitle } = data.site as { websiteTitle: string }
    const html = page
      .replace(/data-theme="\w+"/, `data-theme="${theme}"`)
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(websiteTitle)}</title>`)
      .replace(
        '<!--boot-->',
        () =>
          `${preloads.get(where.split('/').at(-1) ?? '') ?? ''}<script type="application/json" id="boot">${inertJson(data)}</script>`,
      )
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'cookie')
      .header('content-security-policy', policy)
      .send(html)
  })
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

/** Only what this page is made of: its own scripts, its inlined style sheet by hash, nothing from elsewhere. */
function contentPolicy(page: string, secure: boolean): string {
  const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${styles.join(' ')}`.trim(),
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
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
