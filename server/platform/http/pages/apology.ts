import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Accent } from '../../../../contract/accents.ts'
import { Refusal, refusalStatus } from '../../../../contract/errors.ts'
import { logOf, logUnavailable, pathOf } from '../requests.ts'
import { asRefusal, refuse } from '../responses.ts'

/**
 * Answers an error with a page that says that the store can't be reached, and tries again. What the caller got wrong is
 * refused as it is below /api, and is no line in the log.
 */
export async function apologise(directory: string, policy: string, accent: () => Accent) {
  const page = await readFile(path.join(directory, 'unavailable.html'), 'utf8')
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const isAway = error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE'
    if (isAway) logUnavailable(request, error, { path: pathOf(request) })
    else if (isCallersFault(error)) {
      refuse(reply, asRefusal(error, request))
      return
    } else logOf(request).error({ err: error, path: pathOf(request) }, 'failed')
    void reply
      .code(isAway ? 503 : 500)
      .type('text/html; charset=utf-8')
      .header('retry-after', '5')
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy)
      .send(page.replace('<html', `<html data-accent="${accent()}"`))
  }
}

function isCallersFault(error: unknown): boolean {
  const status = error instanceof Refusal ? refusalStatus(error.code) : (error as { statusCode?: number }).statusCode
  return status !== undefined && status >= 400 && status < 500
}
