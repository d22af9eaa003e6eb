/**
 * Signs calls to a bucket by AWS Signature Version 4.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from 'node:crypto'

export interface S3Keys {
  accessKeyId: string
  secretAccessKey: string
  region: string
  /** An origin. */
  endpoint: string
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
/** As RFC 3986 has it, which leaves fewer signs than a browser does. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.codePointAt(0)?.toString(16).toUpperCase()}`)

/**
 * Returns the headers of a call. Its body is not signed, because each copy is read back.
 * @param url with path and query as `encoded` writes them
 */
export function signedHeaders(
  { accessKeyId, secretAccessKey, region }: Omit<S3Keys, 'endpoint'>,
  method: string,
  { host, pathname, searchParams }: URL,
  now: Date,
): Record<string, string> {
  const moment = now.toISOString().replaceAll(/[:-]|\.\d{3}/g, '')
  const scope = [moment.slice(0, 8), region, 's3', 'aws4_request']
  const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'x-amz-date': moment }
  const names = ['host', ...Object.keys(headers)].join(';')
  const query = [...searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted()
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}:${value}`)
  const call = [method, pathname, query.join('&'), ...lines, '', names, headers['x-amz-content-sha256']].join('\n')
  const hash = createHash('sha256').update(call).digest('hex')
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', moment, scope.join('/'), hash].join('\n')).toString('hex')
  const credential = [accessKeyId, ...scope].join('/')
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
  return { ...headers, authorization }
}
