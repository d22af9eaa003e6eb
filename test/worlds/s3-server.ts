/**
 * A bucket on this machine, with the part of S3 that copies need. It checks each signature by its own reading of AWS
 * Signature Version 4, and fails as known services do, if a test asks for it.
 */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
export const BUCKET = 'shop-copies'

interface Fault {
  status: number
  body: string
  headers?: Record<string, string>
}
/** Answers a call in place of the server, or breaks it off. Undefined lets it through. */
type Trouble = (call: { method: string; key: string; query: URLSearchParams }) => Fault | 'reset' | 'half' | undefined

export interface S3Server {
  endpoint: string
  objects: Map<string, Buffer>
  uploads: Map<string, { key: string; parts: Map<number, Buffer>; at: Date }>
  /** The calls, as "PUT name". */
  calls: string[]
  trouble: Trouble
  /** How much its clock is ahead, in ms. */
  aheadMs: number
  /** Keys in one page of a list. */
  pageSize: number
  stop(): void
}

export const fault = (status: number, code: string, more = ''): Fault => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} told</Message>${more}</Error>`,
})

export async function startS3Server(): Promise<S3Server> {
  const world: S3Server = {
    endpoint: '',
    objects: new Map(),
    uploads: new Map(),
    calls: [],
    trouble: () => undefined,
    aheadMs: 0,
    pageSize: 1_000,
    stop: () => server.close().closeAllConnections(),
  }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => answer(world, request, response, Buffer.concat(pieces)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  world.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return world
}

function answer(world: S3Server, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const send = ({ status, body: text, headers = {} }: Fault) =>
    response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(text)
  const url = new URL(request.url ?? '', world.endpoint)
  const [, bucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
  const [key, query, method] = [rest.join('/'), url.searchParams, request.method ?? '']
  world.calls.push(`${method} ${key}${url.search}`)
  const trouble = world.trouble({ method, key, query })
  if (trouble === 'reset') return void request.socket.destroy()
  if (trouble === 'half') {
    const whole = world.objects.get(key) ?? Buffer.alloc(1)
    response.writeHead(200, { 'content-length': whole.length }).write(whole.subarray(0, whole.length / 2))
    return void setTimeout(() => request.socket.destroy(), 50)
  }
  if (trouble) return void send(trouble)
  const refused = refusalOf(world, request, url)
  if (refused) return void send(refused)
  if (bucket !== BUCKET) return void send(fault(404, 'NoSuchBucket'))
  // A body of unknown length, which fetch sends for a stream
  if (method === 'PUT' && request.headers['content-length'] === undefined)
    return void send(fault(411, 'MissingContentLength'))
  send(act(world, { method, key, query, body }))
}

const ok = (body = '', headers = {}): Fault => ({ status: 200, body, headers })
const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`

function act(
  world: S3Server,
  { method, key, query, body }: { method: string; key: string; query: URLSearchParams; body: Buffer },
): Fault {
  const { objects, uploads } = world
  const upload = uploads.get(query.get('uploadId') ?? '')
  if (key === '') return query.has('uploads') ? listUploads(world) : list(world, query)
  if (query.has('uploads')) {
    const id = `upload+/${uploads.size + 1}`
    uploads.set(id, { key, parts: new Map(), at: new Date() })
    return ok(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }
  if (query.has('uploadId') && !upload) return fault(404, 'NoSuchUpload')
  if (upload && method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body)
    return ok('', { etag: etagOf(body) })
  }
  if (upload && method === 'POST') {
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)/g)]
    const parts = named.map(([, n, etag]) => ({ etag, bytes: upload.parts.get(Number(n)) }))
    if (parts.some(({ etag, bytes }) => !bytes || etagOf(bytes) !== etag)) return fault(400, 'InvalidPart')
    objects.set(key, Buffer.concat(parts.flatMap(({ bytes }) => bytes ?? [])))
  }
  if (upload) {
    uploads.delete(query.get('uploadId') ?? '')
    return ok(method === 'POST' ? '<CompleteMultipartUploadResult/>' : '')
  }
  const found = objects.get(key)
  if (method === 'PUT') objects.set(key, body)
  if (method === 'DELETE') objects.delete(key)
  if (method !== 'GET') return ok('', { etag: etagOf(body) })
  return found ? { status: 200, body: found as never } : fault(404, 'NoSuchKey')
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;')

function list({ objects, pageSize }: S3Server, query: URLSearchParams): Fault {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter')
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
  const keys = [...objects.keys()].toSorted().filter((key) => key.startsWith(prefix) && key > after)
  const here = delimiter ? keys.filter((key) => !key.slice(prefix.length).includes(delimiter)) : keys
  const page = here.slice(0, pageSize)
  const isMore = here.length > page.length
  const contents = page.map(
    (key) => `<Contents><Key>${escape(key)}</Key><Size>${objects.get(key)?.length}</Size></Contents>`,
  )
  const token = Buffer.from(page.at(-1) ?? '').toString('base64')
  const more = isMore ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''
  return ok(
    `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${more}<Prefix>${escape(prefix)}</Prefix>` +
      `${contents.join('')}</ListBucketResult>`,
  )
}

function listUploads({ uploads }: S3Server): Fault {
  const all = [...uploads].map(
    ([id, { key, at }]) =>
      `<Upload><Key>${escape(key)}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
  )
  return ok(`<ListMultipartUploadsResult>${all.join('')}</ListMultipartUploadsResult>`)
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Why the signature does not count, if it does not. */
function refusalOf({ aheadMs }: S3Server, { method, headers }: IncomingMessage, url: URL): Fault | undefined {
  const [, id, day = '', region = '', names = '', given] =
    /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (id !== KEYS.accessKeyId) return fault(403, 'InvalidAccessKeyId')
  const moment = String(headers['x-amz-date'])
  const at = Date.parse(moment.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'))
  if (Math.abs(Date.now() + aheadMs - at) > 15 * 60_000) return fault(403, 'RequestTimeTooSkewed')
  if (region !== 'ap-south-1') return fault(400, 'AuthorizationHeaderMalformed', '<Region>ap-south-1</Region>')
  const canonical = [
    method,
    url.pathname
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .toSorted()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name])}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', moment, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const signing = ['aws4_request', 's3', region, day].reduceRight<Buffer | string>(
    (key, part) => hmac(key, part),
    `AWS4${KEYS.secretAccessKey}`,
  )
  return hmac(signing, text).toString('hex') === given ? undefined : fault(403, 'SignatureDoesNotMatch')
}
