/**
 * Serves the files of the build from memory. They are few, and do not change while the store runs. Reading one for each
 * answer costs many times as much. A caller's path is only compared with their names, so no path leads elsewhere.
 */
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { encodingFor, ENCODINGS, type Encoding } from '../responses.ts'

const SUFFIXES: Record<Encoding, string> = { br: '.br', gzip: '.gz' }
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const ANY_TYPE = 'application/octet-stream'

/** The answer for one encoding, or for none. */
interface Form {
  body: Buffer
  etag: string
  headers: Record<string, string>
}

/**
 * Answers GET and HEAD for each file of the directory, in the best form that the caller accepts. A range is answered
 * with the whole file, as RFC 9110 (14.2) allows, because no file is large enough to be continued.
 * @param hidden true if a file has no address, by its path in the directory. Dot files never have one
 * @param headersOf returns a file's own headers, by that path
 */
export async function serveFiles(
  app: FastifyInstance,
  directory: string,
  { hidden, headersOf }: { hidden(name: string): boolean; headersOf(name: string): Record<string, string> },
): Promise<void> {
  const names = new Set(await namesIn(directory))
  const isForm = (name: string) => ENCODINGS.some((encoding) => name.endsWith(SUFFIXES[encoding]))
  const readForm = async (name: string, encoding?: Encoding): Promise<Form> => {
    const body = await readFile(path.join(directory, name + (encoding ? SUFFIXES[encoding] : '')))
    const etag = `"${hash('sha1', body, 'base64url')}"`
    const headers = {
      ...headersOf(name),
      'content-type': TYPES[path.extname(name)] ?? ANY_TYPE,
      vary: 'accept-encoding',
      etag,
      ...(encoding && { 'content-encoding': encoding }),
    }
    return { body, etag, headers }
  }
  for (const name of names) {
    if (isForm(name) || hidden(name) || /(?:^|\/)\./.test(name)) continue
    const plain = await readForm(name)
    const forms = new Map<Encoding, Form>()
    for (const encoding of ENCODINGS)
      if (names.has(name + SUFFIXES[encoding])) forms.set(encoding, await readForm(name, encoding))
    app.get(`/${name}`, { compress: false }, (request, reply) => {
      const encoding = encodingFor(request)
      const { body, etag, headers } = (encoding && forms.get(encoding)) ?? plain
      void reply.headers(headers)
      // The ETag may be one of several, or one that a proxy has marked as weak
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
      return reply.send(body)
    })
  }
}

/** Lists the paths of all files, with slashes on every platform. */
async function namesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
}
