/**
 * Writes the log as one JSON line per event. Secret and personal values are removed by the names of their fields. They
 * are also removed by their looks, because some get into a message by mistake.
 */
import { pino, type DestinationStream, type Logger } from 'pino'

const NAMES = (
  'password currentPassword newPassword passwordHash totp secret token key keys utr phone payerName email cookie ' +
  'authorization'
).split(' ')

/** Tokens of sessions or links, mobile numbers and UTRs, but not parts of ids or of longer numbers. */
const LOOKS: readonly RegExp[] = [
  /(?<![\w-])[\w-]{43}(?![\w-])/g,
  /(?<![\w.-])(?:\+91)?[6-9]\d{9}(?![\w.-])/g,
  /(?<![\w.-])\d{12}(?![\w.-])/g,
]

/** Picks the members of an error for the log, because the driver's errors contain its whole connection. */
function describeError(error: Error & { code?: string }): Record<string, unknown> {
  const { name, message, code, stack, cause } = error
  return { name, message, code, stack, ...(cause instanceof Error ? { cause: describeError(cause) } : {}) }
}

/** @param destination of the lines. The standard output if absent, formatted for a person on a terminal */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: {
      paths: NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers.${name}`]),
      censor: '[…]',
    },
    serializers: { err: describeError },
    hooks: { streamWrite: withoutSecrets },
  }
  if (destination) return pino(options, destination)
  if (!process.stdout.isTTY) return pino(options, standardOutput())
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
  })
}

/**
 * Writes a line of which each value is the program's own, such as an id or a route. It skips the search for secrets,
 * which takes thirty times as long as the rest and would slow down each call by a tenth.
 */
export function logPlain(log: Logger, fields: Record<string, string | number>, msg: string): void {
  if (!log.isLevelEnabled('info')) return
  const { [pino.symbols.streamSym]: stream } = log as unknown as Record<symbol, DestinationStream>
  const rest = JSON.stringify({ pid: process.pid, ...fields, msg }).slice(1)
  stream?.write(`{"level":${INFO}${pino.stdTimeFunctions.epochTime()},${rest}\n`)
}

const INFO = pino.levels.values.info
const SPARSE_MS = 1_000

export type Warn = (log: Logger, fields: object, message: string) => void

/**
 * Tells each message once a second, because a fault that meets every caller would fill the disk. The next line says
 * how many times it happened since.
 */
export function warnSparsely(level: 'warn' | 'info' = 'warn'): Warn {
  const since = new Map<string, { log: Logger; fields: object; times: number }>()
  const later = (message: string) => {
    const met = since.get(message)
    if (met && met.times > 0) {
      met.log[level]({ ...met.fields, times: met.times }, message)
      met.times = 0
      setTimeout(later, SPARSE_MS, message).unref()
    } else since.delete(message)
  }
  return (log, fields, message) => {
    const met = since.get(message)
    if (met) {
      Object.assign(met, { log, fields, times: met.times + 1 })
    } else {
      log[level](fields, message)
      since.set(message, { log, fields, times: 0 })
      setTimeout(later, SPARSE_MS, message).unref()
    }
  }
}

/** The most bytes of unwritten lines in memory. Further lines are lost. */
const WAITING_BYTES_MAX = 1024 * 1024

/** Ignores errors, because a log that cannot be written (a full disk) must not end the store. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, maxLength: WAITING_BYTES_MAX })
  output.on('error', () => {})
  return output
}

function withoutSecrets(line: string): string {
  return LOOKS.reduce((text, look) => text.replaceAll(look, '[…]'), line)
}
