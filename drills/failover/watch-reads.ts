/** Reads through the front of several nodes while their database is away: the nodes answer, and not the front. */
import { setTimeout as sleep } from 'node:timers/promises'
import { saysLater } from '../buyers.ts'
import { send } from '../send.ts'

const PATHS = ['/', '/api/products', '/api/settings/version']
const PAUSE_MS = 50
/** The header that tells a node's answer from one of the front. */
const OF_A_NODE = 'x-content-type-options'

export interface Reads {
  answered: number
  /** 503 with all that a page needs to try again. */
  later: number
  /** Answers of the front itself, or without what a page needs to try again. */
  lost: number
  /** The first of those answers. */
  example: string
}

export function watchReads(port: number): { stop(): Promise<Reads> } {
  const reads: Reads = { answered: 0, later: 0, lost: 0, example: '' }
  const ended = new AbortController()
  const look = async () => {
    for (let n = 0; !ended.signal.aborted; n++, await sleep(PAUSE_MS)) {
      const path = PATHS[n % PATHS.length] ?? '/'
      const answer = await send({ port, method: 'GET', path }).catch((error: Error) => error)
      if (answer instanceof Error) {
        reads.lost++
        reads.example ||= answer.message
        continue
      }
      const isOfNode = answer.headers[OF_A_NODE] !== undefined
      if (isOfNode && answer.status === 503 && saysLater(answer)) reads.later++
      else if (isOfNode && answer.status !== 503) reads.answered++
      else {
        reads.lost++
        reads.example ||= `${path} ${answer.status} ${answer.text.slice(0, 80)}`
      }
    }
  }
  const looking = look()
  return {
    async stop() {
      ended.abort()
      await looking
      return reads
    },
  }
}
