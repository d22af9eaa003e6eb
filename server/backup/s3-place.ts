/**
 * Copies in a bucket of any service that speaks S3: `s3://bucket/folder`. Addresses have the bucket in their path,
 * which every such service knows. https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html
 */
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '../../contract/time.ts'
import { machineClock } from '../platform/clock.ts'
import { namesIn, type CopyPlace } from './copy-place.ts'
import { encoded, signedHeaders, type S3Keys } from './sign-s3.ts'

/** A larger file travels in parts of this size, so that a fault repeats only one. A bucket takes 10,000 of them. */
const PART_BYTES = 100 * 1024 * 1024
const TRIES = 4
const FIRST_WAIT_MS = 500
/** A call may take this long, plus the time of its part on the slowest line that should work. */
const CALL_MS_MAX = 60_000
const BYTES_A_SECOND_MIN = 50_000
/** Older unfinished uploads are deleted, because they cost money. A running one is younger. */
const STALE_UPLOAD_MS = 24 * HOUR_MS

interface Asked {
  method?: 'GET' | 'PUT' | 'POST' | 'DELETE'
  query?: Record<string, string>
  body?: Blob | string
  /** The answer is a file of any size. It may take any time, but Node gives up after 5 minutes of silence. */
  isFile?: boolean
}

/** Calls the bucket, or one object in it. @throws Error in one sentence, after some tries where another may help */
type Ask = (key: string, asked?: Asked) => Promise<Response>

/** @param partBytes smaller in tests */
export function openBucket(address: string, keys: S3Keys | undefined, partBytes = PART_BYTES): CopyPlace {
  if (!keys)
    throw new Error(
      `${address} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL if it isn’t Amazon.`,
    )
  const [bucket = '', ...folders] = address.slice('s3://'.length).split('/').filter(Boolean)
  const { hostname, pathname, origin } = new URL(keys.endpoint)
  if (hostname.startsWith(`${bucket}.`) || pathname.split('/').at(-1) === bucket)
    throw new Error(
      `AWS_ENDPOINT_URL names the bucket ${bucket}, and BACKUP_COPY_TO does so already. Leave it out there: ` +
        `${origin.replace(`//${bucket}.`, '//')}${pathname.replace(/\/[^/]*$/, '')}`,
    )
  const folder = folders.map((name) => `${name}/`).join('')
  const archive = `${folder}archive/`
  const ask = askerOf(address, bucket, keys)
  const getAs = async (key: string, file: string): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(key, { isFile: true })
      const body = answer.body ? Readable.fromWeb(answer.body) : Readable.from([])
      try {
        return await pipeline(body, createWriteStream(file, { mode: 0o600 }))
      } catch (cause) {
        if (attempt === TRIES)
          throw new Error(`${address} broke off while ${path.basename(key)} was read. Run it again.`, { cause })
        await pauseAfter(attempt)
      }
    }
  }
  return {
    async put(file) {
      // Not every service lists them, and the backup must not fail for it
      await forgetUploads(ask, folder).catch(() => {})
      await putAs(ask, folder + path.basename(file), file, partBytes)
    },
    get: (name, file) => getAs(folder + name, file),
    list: async () => namesIn([...(await listAll(ask, folder, '/')).keys()].join('\n')),
    async remove(names) {
      for (const name of names) await ask(folder + name, { method: 'DELETE' })
    },
    async putLog(directory) {
      const there = `${archive}${path.basename(directory)}/`
      const left = await listAll(ask, there)
      for (const name of (await readdir(directory)).filter((each) => /\.(base|wal)$/.test(each))) {
        const file = path.join(directory, name)
        // A finished file of the log never changes
        if (left.get(name) !== (await stat(file)).size) await putAs(ask, there + name, file, partBytes)
        left.delete(name)
      }
      for (const name of left.keys()) await ask(there + name, { method: 'DELETE' })
    },
    async getArchive(directory) {
      for (const name of (await listAll(ask, archive)).keys()) {
        const file = path.join(directory, name)
        // A name that leads out of the directory
        if (!file.startsWith(`${directory}${path.sep}`)) continue
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
        await getAs(archive + name, file)
      }
    },
  }
}

function askerOf(address: string, bucket: string, keys: S3Keys): Ask {
  const root = `${keys.endpoint}/${bucket}`
  return async (key, { method = 'GET', query = {}, body, isFile = false } = {}) => {
    const url = new URL(`${root}${key === '' ? '' : `/${key.split('/').map(encoded).join('/')}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const sent = typeof body === 'object' ? body.size : 0
    const msMax = isFile ? undefined : CALL_MS_MAX + Math.ceil((sent / BYTES_A_SECOND_MIN) * 1_000)
    for (let attempt = 1; ; attempt++) {
      // Each try is signed again, because a signature is good for minutes
      const headers = signedHeaders(keys, method, url, machineClock.now())
      const answer = await once(new Request(url, { method, headers, ...(body !== undefined && { body }) }), bucket, {
        msMax,
        isFile,
      })
      if (answer instanceof Response) return answer
      if (!answer.mayPass || attempt === TRIES) throw new Error(`${address} ${answer.says}`, { cause: answer.cause })
      await pauseAfter(attempt)
    }
  }
}

const pauseAfter = (attempt: number) => sleep(FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random()))

async function once(
  request: Request,
  bucket: string,
  { msMax, isFile }: { msMax: number | undefined; isFile: boolean },
): Promise<Response | Fault> {
  const signal = msMax === undefined ? null : AbortSignal.timeout(msMax)
  try {
    const answer = await fetch(request, { redirect: 'manual', signal })
    if (answer.ok && isFile) return answer
    // All of it, because it may break off
    const text = await answer.text()
    // The end of a multipart upload may be answered 200 with an error inside
    if (answer.ok && !text.includes('<Error>')) return new Response(text, { headers: answer.headers })
    return faultOf(answer, text, bucket)
  } catch (cause) {
    const { name, cause: inner } = cause as Error & { cause?: { code?: string; message?: string } }
    const why = name === 'TimeoutError' ? 'no answer in time' : (inner?.code ?? inner?.message ?? String(cause))
    const [, advice] = UNREACHED.find(([codes]) => codes.test(why)) ?? []
    return {
      says: `can’t be reached: ${why}.${advice ?? ''}`,
      mayPass: advice === undefined || why.includes('ENOTFOUND'),
      cause,
    }
  }
}

/** Lists all objects of a folder with their sizes. A page holds a thousand. */
async function listAll(ask: Ask, prefix: string, delimiter = ''): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let token: string | undefined, begun = false; !begun || token; begun = true) {
    const query = { 'list-type': '2', prefix, ...(delimiter && { delimiter }) }
    const page = await (await ask('', { query: { ...query, ...(token && { 'continuation-token': token }) } })).text()
    for (const [, object = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
      found.set(tagIn(object, 'Key').slice(prefix.length), Number(tagIn(object, 'Size')))
    token = tagIn(page, 'IsTruncated') === 'true' ? tagIn(page, 'NextContinuationToken') : undefined
  }
  return found
}

async function putAs(ask: Ask, key: string, file: string, partBytes: number): Promise<void> {
  const blob = await openAsBlob(file)
  if (blob.size <= partBytes) return void (await ask(key, { method: 'PUT', body: blob }))
  const uploadId = tagIn(await (await ask(key, { method: 'POST', query: { uploads: '' } })).text(), 'UploadId')
  try {
    let parts = ''
    for (let n = 1, from = 0; from < blob.size; n++, from += partBytes) {
      const query = { partNumber: String(n), uploadId }
      const answer = await ask(key, { method: 'PUT', query, body: blob.slice(from, from + partBytes) })
      parts += `<Part><PartNumber>${n}</PartNumber><ETag>${answer.headers.get('etag') ?? ''}</ETag></Part>`
    }
    const body = `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`
    await ask(key, { method: 'POST', query: { uploadId }, body })
  } catch (error) {
    await ask(key, { method: 'DELETE', query: { uploadId } }).catch(() => {})
    throw error
  }
}

/** Deletes the parts of uploads that were killed, by the clock of the service. */
async function forgetUploads(ask: Ask, prefix: string): Promise<void> {
  const answer = await ask('', { query: { uploads: '', prefix } })
  const now = Date.parse(answer.headers.get('date') ?? '')
  for (const [, upload = ''] of (await answer.text()).matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
    const [key, uploadId] = [tagIn(upload, 'Key'), tagIn(upload, 'UploadId')]
    if (now - Date.parse(tagIn(upload, 'Initiated')) > STALE_UPLOAD_MS)
      await ask(key, { method: 'DELETE', query: { uploadId } })
  }
}

/** Reads the first element of this name, with its five entities. */
function tagIn(xml: string, name: string): string {
  const [, text = ''] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(lt|gt|quot|apos|amp));/gi, (_, ten, hex, entity) =>
    entity ? (entities[entity] ?? '') : String.fromCodePoint(ten ? Number(ten) : Number.parseInt(hex, 16)),
  )
}

/** No other try helps, but where a name is not found: its server may be away for a moment. */
const UNREACHED: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND/, ' No machine has that name. Check AWS_ENDPOINT_URL.'],
  [/WRONG_VERSION_NUMBER|EPROTO/, ' It speaks no HTTPS there. Check AWS_ENDPOINT_URL.'],
  [/CERT|UNABLE_TO/, ' This machine doesn’t trust its certificate. Set NODE_EXTRA_CA_CERTS to its authority’s file.'],
]
const KEYS = /InvalidAccessKeyId|SignatureDoesNotMatch|InvalidSecurity|Unauthorized|InvalidArgument.*access key/i
const FULL = /QuotaExceeded|StorageFull|EntityTooLarge|InsufficientCapacity|CapExceeded|ServiceQuota/i
const REGION = /AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraint|TemporaryRedirect/

interface Fault {
  /** After the address: "is full." */
  says: string
  /** True if another try may help. */
  mayPass: boolean
  cause: unknown
}

/** Says in one sentence what a refusal means. */
function faultOf({ status, headers, url }: Response, text: string, bucket: string): Fault {
  const code = tagIn(text, 'Code')
  const told = tagIn(text, 'Message').split('\n')[0] || code || `HTTP ${status}`
  const say = (says: string, mayPass = false) => ({ says, mayPass, cause: new Error(`${status} ${code} ${told}`) })
  if (/RequestTimeTooSkewed|RequestExpired/.test(code))
    return say('refuses the clock of this machine. Set it: sudo timedatectl set-ntp true.')
  if (KEYS.test(code)) return say('refuses AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY. Check both.')
  if (/ExpiredToken|InvalidToken/.test(code))
    return say('says that AWS_ACCESS_KEY_ID is no longer valid. Create a key that lasts.')
  if (code === 'NoSuchBucket') return say(`has no bucket ${bucket}. Create it, or correct BACKUP_COPY_TO.`)
  if (REGION.test(code)) {
    const region = tagIn(text, 'Region') || headers.get('x-amz-bucket-region') || 'that of the bucket'
    return say(`is in another region. Set AWS_REGION to ${region}.`)
  }
  const moved = headers.get('location') ?? ''
  if (status >= 300 && status < 400 && URL.canParse(moved, url))
    return say(`has moved. Set AWS_ENDPOINT_URL to ${new URL(moved, url).origin}.`)
  if (FULL.test(code) || status === 507) return say('is full. Make room there, or raise its limit.')
  if (code === 'AccessDenied' || status === 401 || status === 403)
    return say(`does not let this key do that (${told}). It must list, read, write and delete.`)
  if (code === '' && status >= 400 && status < 500 && status !== 429)
    return say(`does not speak S3 (HTTP ${status}). Check AWS_ENDPOINT_URL.`)
  if (status === 404) return say('has no such file.')
  return say(`does not answer as it should: ${told}`, status >= 500 || status === 200 || status === 429)
}
