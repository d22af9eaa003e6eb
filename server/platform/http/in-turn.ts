/**
 * Answers the requests of a connection one by one, in their order (RFC 9112, 9.3.2). Node starts them all at once and
 * keeps every answer until the peer takes it, so one connection could fill the memory and the event loop.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A client that sends more requests ahead may lose them. Browsers and proxies wait for the answer. */
export const WAITING_MAX = 8

type Waiting = [IncomingMessage, ServerResponse]
/** Marks the list of waiting requests on a connection, while one of its requests is running. */
const WAITING = Symbol('waiting')
type Line = Socket & { [WAITING]?: Waiting[] | undefined }

/** @returns a listener that closes a connection on which more than WAITING_MAX requests wait */
export function inTurn(handle: RequestListener): RequestListener {
  /** Connections whose next request may begin: one in a turn of the event loop, so that no other caller waits long. */
  const ready: Line[] = []
  const begin = (line: Line, [request, response]: Waiting) => {
    // Waits until the peer has taken the answer, so that at most one is in memory
    response.once('close', () => proceed(line))
    handle(request, response)
  }
  const proceed = (line: Line) => {
    if (line[WAITING]?.length === 0) line[WAITING] = undefined
    else if (ready.push(line) === 1) setImmediate(beginNext)
  }
  const beginNext = () => {
    const line = ready.shift()
    if (ready.length > 0) setImmediate(beginNext)
    // After "Connection: close" the client would get no answer
    const next = line?.writable ? line[WAITING]?.shift() : undefined
    if (line && next) begin(line, next)
    else if (line) line[WAITING] = undefined
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
