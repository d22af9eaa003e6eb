/**
 * The log: one JSON line an event, for programs. What is secret or personal is taken out by the name of its
 * field, and once more by its looks, for what gets into a message by mistake.
 */
import { pino, type DestinationStream, type Logger } from 'pino'

const NAMES = (
  'password currentPassword newPassword passwordHash totp secret token key keys utr phone payerName email cookie ' +
  'authorization'
).split(' ')

/** A session's or a link's token, a mobile number, a UTR; parts of ids and of longer numbers are none of them. */
const LOOKS: readonly RegExp[] = [
  /(?<![\w-])[\w-]{43}(?![\w-])/g,
  /(?<![\w.-])(?:\+91)?[6-9]\d{9}(?![\w.-])/g,
  /(?<![\w.-])\d{12}(?![\w.-])/g,
]

/** What of an error may stand in a log. The driver hangs its whole connection on its errors. */
function describeError(error: Error & { code?: string }): Record<string, unknown> {
  const { name, message, code, stack, cause } = error
  return { name, message, code, stack, ...(cause instanceof Error ? { cause: describeError(cause) } : {}) }
}

/** @param destination where the lines go; the standard output when absent, drawn for a person on a terminal */
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

/** Lines that wait while they cannot be written, in bytes; beyond, lines are lost. */
const WAITING_BYTES_MAX = 1024 * 1024

/** A log that cannot be written, on a full disk for one, must not end the store. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, maxLength: WAITING_BYTES_MAX })
  output.on('error', () => {})
  return output
}

function withoutSecrets(line: string): string {
  return LOOKS.reduce((text, look) => text.replaceAll(look, '[…]'), line)
}
