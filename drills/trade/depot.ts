/** A supplier with an API of its own, which sells again each time that it is asked, and loses three answers in ten. */
import { randomInt, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const LOST_PERCENT = 30
const ANSWER_MS_MAX = 400

interface Sale {
  key: string
  isLost: boolean
}
export interface Depot {
  readonly origin: string
  /** What was sold under each number. */
  readonly sales: ReadonlyMap<string, readonly Sale[]>
  readonly calls: number
  close(): Promise<void>
}

export async function startDepot(): Promise<Depot> {
  const sales = new Map<string, Sale[]>()
  let calls = 0
  const server = createServer((request, response) => {
    void (async () => {
      const { ref } = (await json(request)) as { ref: string }
      const sale = { key: `DEPOT-${randomUUID()}`, isLost: randomInt(100) < LOST_PERCENT }
      sales.set(ref, [...(sales.get(ref) ?? []), sale])
      calls += 1
      await sleep(randomInt(ANSWER_MS_MAX))
      if (sale.isLost) response.destroy()
      else response.end(JSON.stringify({ key: sale.key, price: 1 }))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sales,
    get calls() {
      return calls
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What the store sends there. It may be sent once only. */
export const DEPOT_TEMPLATE = {
  method: 'POST',
  headers: 'X-Api-Key: {secret}',
  body: '{"item": "{sku}", "ref": "{order}"}',
  keyAt: '/key',
  costAt: '/price',
  noneIf: '',
  okIf: '',
  repeats: false,
}
