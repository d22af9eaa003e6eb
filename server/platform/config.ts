/** Reads and checks all settings once, at start. No other file reads the environment. */
import { isIP } from 'node:net'
import path from 'node:path'
import * as z from 'zod/mini'
import { readSecretKeys } from './secrets/read-secret-keys.ts'
import { splitServers } from './database/connecting/primary.ts'

const text = (pattern: RegExp, what: string) => z.string().check(z.regex(pattern, { error: what }))

/** The TRUST_PROXY that trusts no proxy, on purpose. */
const NO_PROXIES = 'none'
const isProxy = (part: string) => isIP(part.split('/')[0] ?? '') > 0 || /^(loopback|linklocal|uniquelocal)$/.test(part)
const UNREADABLE_URL =
  'DATABASE_URL can’t be read. In its password write % as %25, / as %2F, # as %23, ? as %3F and @ as %40'
/** Where copies of backups go: a bucket, an rsync server, a machine over ssh, or a place of rclone's. */
const COPY_TO_PLACES = [
  String.raw`s3://[a-z\d][a-z\d.-]{1,61}[a-z\d](/\S*)?`,
  String.raw`rsync://[\w.@:[\]-]+/\S+`,
  String.raw`[\w.-]+@[\w.[\]:-]+:/?\S+`,
  String.raw`rclone:[\w.-]+:\S*`,
]
export const COPY_TO = new RegExp(`^(${COPY_TO_PLACES.join('|')})$`)
/** Random secrets have 30 different bytes on average, and never this few. */
const DIFFERENT_BYTES_MIN = 8

const Environment = z.object({
  PORT: z._default(
    z.optional(z.pipe(text(/^\d{1,5}$/, 'PORT must be a number from 0 to 65535'), z.transform(Number))),
    4000,
  ),
  HOST: z._default(z.optional(z.string()), '127.0.0.1'),
  DATA_DIR: z._default(z.optional(z.string()), 'data'),
  DATABASE_URL: z.optional(
    text(/^postgres(?:ql)?:\/\//, 'DATABASE_URL must start with postgres://').check((url) => {
      try {
        if (/,|target_session_attrs/.test(url.value)) splitServers(url.value)
        // With @/ the host is in the query: a socket's folder
        else if (!URL.canParse(url.value.replace('@/', '@socket/'))) throw new Error(UNREADABLE_URL)
      } catch (error) {
        url.issues.push({ code: 'custom', input: url.value, message: (error as Error).message })
      }
    }),
  ),
  ADMIN_USERNAME: z.optional(z.string()),
  ADMIN_PASSWORD: z.optional(z.string()),
  PUBLIC_URL: z.optional(
    z.pipe(
      z.string().check(
        z.refine((url) => /^https?:\/\/[^/\s]+$/.test(url) && URL.canParse(url), {
          error: 'PUBLIC_URL must be an origin, like https://shop.example',
        }),
      ),
      // As browsers write it: in lower case, in ASCII, without the default port
      z.transform((url) => new URL(url).origin),
    ),
  ),
  TRUST_PROXY: z.optional(
    z.string().check(
      z.refine((list) => list === NO_PROXIES || list.split(',').every((part) => isProxy(part.trim())), {
        error: 'TRUST_PROXY must be addresses of proxies, like 127.0.0.1 or 10.0.0.0/8, or none',
      }),
    ),
  ),
  RATE_LIMIT_SCALE: z._default(
    z.optional(z.pipe(text(/^\d+(\.\d+)?$/, 'RATE_LIMIT_SCALE must be a number above 0'), z.transform(Number))),
    1,
  ),
  SECRET_KEY: z.optional(z.string()),
  LOG_LEVEL: z._default(z.optional(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])), 'info'),
  PG_OS_USER: z.optional(z.string()),
  BACKUP_PASSPHRASE: z.optional(
    z.string().check(z.minLength(12, { error: 'BACKUP_PASSPHRASE must have at least 12 characters' })),
  ),
  BACKUP_COPY_TO: z.optional(
    text(
      COPY_TO,
      'BACKUP_COPY_TO must look like s3://bucket/path, rsync://host/path, user@host:/path or rclone:REMOTE:path',
    ),
  ),
  AWS_ACCESS_KEY_ID: z.optional(z.string()),
  AWS_SECRET_ACCESS_KEY: z.optional(z.string()),
  AWS_REGION: z._default(z.optional(z.string()), 'us-east-1'),
  AWS_ENDPOINT_URL: z.optional(
    z.string().check(
      z.refine((url) => URL.canParse(url) && /^https?:/.test(url), {
        error: 'AWS_ENDPOINT_URL must be an address, like https://s3.example',
      }),
    ),
  ),
  REQUIRE_STANDBY: z.optional(z.enum(['0', '1'], { error: 'REQUIRE_STANDBY must be 1 (on) or 0 (off)' })),
  ETCD_HEALTH: z.optional(
    text(/^[\w.-]+:\d+(,[\w.-]+:\d+)*$/, 'ETCD_HEALTH must look like 10.0.0.31:2381,10.0.0.32:2381'),
  ),
  ARCHIVE_WAL: z.optional(z.enum(['0', '1'], { error: 'ARCHIVE_WAL must be 1 (on) or 0 (off)' })),
  DRAIN_MS: z._default(
    z.optional(z.pipe(text(/^\d{1,4}$/, 'DRAIN_MS must be a number from 0 to 9999'), z.transform(Number))),
    0,
  ),
  UPDATES_FROM: z.optional(
    text(/^https:\/\/\S+$|^http:\/\/127\.0\.0\.1[:/]/, 'UPDATES_FROM must be an https address of the newest release'),
  ),
  METRICS_TOKEN: z.optional(
    z.string().check(z.minLength(16, { error: 'METRICS_TOKEN must have at least 16 characters' })),
  ),
  TELEGRAM_API_URL: z.optional(z.string()),
  OUTBOUND_TEST_ORIGINS: z.optional(z.string()),
  NODE_ENV: z.optional(z.string()),
  CHAABI_INSTALLED: z.optional(z.string()),
  CHAABI_SETTINGS: z.optional(z.string()),
})

export interface Config {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  /** The account that the embedded database runs as, if root starts the store. */
  databaseOsUser: string | undefined
  /** Read only when the first admin is created. */
  firstAdmin: { username: string | undefined; password: string | undefined }
  publicOrigin: string | undefined
  /** True behind HTTPS. Cookies are then Secure, and browsers keep to HTTPS. */
  secure: boolean
  trustProxy: string[] | boolean
  rateLimitScale: number
  /** 32 bytes each, newest first; undefined if DATA_DIR holds them. */
  secretKeys: Buffer[] | undefined
  /** Encrypts backups instead of the store's secret key. The backups then contain that key. */
  backupPassphrase: string | undefined
  /** Where copies of backups go, on another machine. */
  backupCopyTo: string | undefined
  /** The keys of a bucket for copies, if they are set. */
  s3: { accessKeyId: string; secretAccessKey: string; region: string; endpoint: string } | undefined
  /** True if it is a fault that no synchronous standby follows the database. */
  requireStandby: boolean
  /** Where the machines of etcd say whether they are well, as host:port. */
  etcd: string[]
  /** True to archive the embedded database's log, for a restore to any moment. */
  archiveWal: boolean
  /** How long a stopping node still takes requests, so that the load balancer notices, in ms. */
  drainMs: number
  /** The operator's token for the metrics. Without it only the machine itself may read them. */
  metricsToken: string | undefined
  /** Address that names the newest release. */
  updatesFrom: string | undefined
  /** A Bot API of this machine instead of Telegram's, in tests. */
  telegramUrl: string | undefined
  /** Origins of this machine that the store may call in tests, beside public https addresses. */
  testOrigins: string[]
  logLevel: string
  production: boolean
  /** True if setup or the package put it here, so that a log keeps what it says. */
  installed: boolean
  /** The file that the settings come from, if there is one. */
  settingsFile: string | undefined
  /** Mistakes that don't keep the store from starting. Logged at start, and broken for the doctor. */
  mistakes: string[]
}

const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

/**
 * Reads the two settings with which tests and the demo replace servers of others by their own.
 * @throws Error when one of them is not of this machine, or the store is public
 */
function readTestServers(telegram: string | undefined, others: string | undefined, publicUrl: string | undefined) {
  const testOrigins = (others ?? '').split(',').map((part) => part.trim())
  const set = [
    ...(telegram === undefined ? [] : [['TELEGRAM_API_URL', telegram] as const]),
    ...testOrigins.filter((origin) => origin !== '').map((origin) => ['OUTBOUND_TEST_ORIGINS', origin] as const),
  ]
  for (const [name, origin] of set) {
    if (!LOOPBACK_ORIGIN.test(origin))
      throw new Error(`${name} is for tests on one machine. ${origin} is not an origin like http://127.0.0.1:8025.`)
    if (publicUrl?.startsWith('https:')) throw new Error(`${name} is for tests. Remove it from a store with https.`)
  }
  return {
    telegramUrl: telegram,
    testOrigins: set.map(([, origin]) => origin),
    mistakes: set.length === 0 ? [] : ['Test settings are on: the store may send messages to servers on this machine.'],
  }
}

/** Names as in Amazon's own tools, and a missing endpoint is Amazon's. */
function readS3(env: z.output<typeof Environment>): Config['s3'] {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_REGION: region } = env
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  const endpoint = (env.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '')
  return { accessKeyId, secretAccessKey, region, endpoint }
}

/** @throws Error with one clear line for each wrong value */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  // A file that was edited on Windows, which Docker passes as it is
  const trimmed = Object.entries(environment).map(([name, value]) => [name, value?.replace(/\r$/, '')] as const)
  const present = Object.fromEntries(trimmed.filter(([, value]) => value !== ''))
  const read = z.safeParse(Environment, present)
  if (!read.success) throw new Error(read.error.issues.map((issue) => issue.message).join('\n'))
  const env = read.data
  if (env.PORT > 65_535) throw new Error('PORT must be a number from 0 to 65535')
  if (env.RATE_LIMIT_SCALE === 0) throw new Error('RATE_LIMIT_SCALE must be a number above 0')
  if (
    env.DATABASE_URL !== undefined &&
    env.NODE_ENV === 'production' &&
    env.SECRET_KEY === undefined &&
    env.HOST !== '127.0.0.1'
  )
    throw new Error(
      'SECRET_KEY is required with DATABASE_URL. All nodes on one database must share it. ' +
        'Create one: openssl rand -base64 32',
    )
  if (env.DATABASE_URL !== undefined && env.ARCHIVE_WAL === '1')
    throw new Error(
      'ARCHIVE_WAL works only with the built-in database. ' +
        'For DATABASE_URL, set archive_command (or pgBackRest, Barman) on that server.',
    )
  const { telegramUrl, testOrigins, mistakes } = readTestServers(
    env.TELEGRAM_API_URL,
    env.OUTBOUND_TEST_ORIGINS,
    env.PUBLIC_URL,
  )
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: path.resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    databaseOsUser: env.PG_OS_USER,
    firstAdmin: { username: env.ADMIN_USERNAME, password: env.ADMIN_PASSWORD },
    publicOrigin: env.PUBLIC_URL,
    secure: env.PUBLIC_URL?.startsWith('https://') ?? false,
    trustProxy:
      env.TRUST_PROXY === undefined || env.TRUST_PROXY === NO_PROXIES
        ? false
        : env.TRUST_PROXY.split(',').map((part) => part.trim()),
    rateLimitScale: env.RATE_LIMIT_SCALE,
    secretKeys: env.SECRET_KEY === undefined ? undefined : refusePlaceholder(readSecretKeys(env.SECRET_KEY)),
    backupPassphrase: env.BACKUP_PASSPHRASE,
    backupCopyTo: env.BACKUP_COPY_TO,
    s3: readS3(env),
    requireStandby: env.REQUIRE_STANDBY === '1',
    etcd: env.ETCD_HEALTH?.split(',') ?? [],
    archiveWal: env.ARCHIVE_WAL === '1',
    drainMs: env.DRAIN_MS,
    metricsToken: env.METRICS_TOKEN,
    updatesFrom: env.UPDATES_FROM,
    telegramUrl,
    testOrigins,
    logLevel: env.LOG_LEVEL,
    production: env.NODE_ENV === 'production',
    installed: env.CHAABI_INSTALLED === '1',
    settingsFile: env.CHAABI_SETTINGS,
    mistakes:
      env.PUBLIC_URL?.startsWith('https://') && env.TRUST_PROXY === undefined
        ? [
            ...mistakes,
            'PUBLIC_URL is https but TRUST_PROXY is not set. All visitors then share the proxy’s address and ' +
              `one rate limit. Set TRUST_PROXY to the proxy’s address, or to ${NO_PROXIES} if there is no proxy.`,
          ]
        : mistakes,
  }
}

/** Checks only the newest, because a store begun with a placeholder needs it behind a new one to replace it. */
function refusePlaceholder(secrets: Buffer[]): Buffer[] {
  if (new Set(secrets[0]).size < DIFFERENT_BYTES_MIN)
    throw new Error(
      'SECRET_KEY is a placeholder that others can guess. Create a new one: openssl rand -base64 32. ' +
        'If your store already uses this one, set SECRET_KEY=new,old and run: npm run rotate-keys',
    )
  return secrets
}
