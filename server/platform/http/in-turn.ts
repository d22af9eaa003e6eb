/**
 * Answers the requests of a connection one after the other, as they came (RFC 9112, 9.3.2). Node starts them all at
 * once and keeps every answer until the peer takes it, so one connection could fill the memory and the event loop.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and proxies send the next request after the answer. A client may lose what it sends far ahead of it. */
export const WAITING_MAX = 16

type Waiting = [IncomingMessage, ServerResponse]
/** On the connection itself, while a request of it is at work: the requests that wait for their turn. */
const WAITING = Symbol('waiting')
type Line = Socket & { [WAITING]?: Waiting[] | undefined }

/** @returns a listener that closes a connection on which more than WAITING_MAX requests wait */
export function inTurn(handle: RequestListener): RequestListener {
  const begin = (line: Line, [request, response]: Waiting) => {
    // Not before the peer has taken the answer, so that there is one of them in memory at most
    response.once('close', () => proceed(line))
    handle(request, response)
  }
  const proceed = (line: Line) => {
    // After "Connection: close" nobody would hear of what is done
    const next = line.writable ? line[WAITING]?.shift() : undefined
    if (next) begin(line, next)
    else line[WAITING] = undefined
  }
  return (request, response) => {
    const line: Line = request.socket
    const waiting = line[WAITING]
    if (waiting === undefined) {
      line[WAITING] = []
      begin(line, [request, response])
    } else if (waiting.length < WAITING_MAX) {
      waiting.push([request, response])
    } else {
      line.destroy()
    }
  }
}
