import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RefusalCode } from '../../../contract/errors.ts'

const MALFORMED = { status: 400, code: 'INVALID_INPUT', message: 'This is not a valid request.' } as const
const UNREADABLE: Record<string, { status: number; code: RefusalCode; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'PAYLOAD_TOO_LARGE', message: 'The address or a header is too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'SERVICE_UNAVAILABLE',
    message: 'The request timed out. Please try again.',
  },
}

/** Answers bytes that never become a request, so that no hook sees them. */
export function answerUnreadable(error: { code: string }, socket: Socket): void {
  // Writes nothing into the middle of an answer, such as a stream. Node does the same
  const { _httpMessage: answering } = socket as { _httpMessage?: ServerResponse | null }
  if (error.code !== 'ECONNRESET' && socket.writable && !answering?.headersSent) {
    const { status, code, message } = UNREADABLE[error.code] ?? MALFORMED
    const body = JSON.stringify({ message, code })
    socket.write(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: no-store',
        'X-Content-Type-Options: nosniff',
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
  socket.destroy()
}
