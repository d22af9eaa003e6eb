/** Many connections that ask for the largest answer and take nothing of it. The kernel keeps what nobody takes. */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readKept } from '../../server/platform/http/unread.ts'
import { sendUnread } from './pipelining.ts'
import type { Scenario } from './scenario.ts'
import { watch } from './watch.ts'

const SOCKETS = 500
const AFTER_MS = 30_000
const KEPT_MB_MAX = 10
const HEALTH_MS_MAX = 1_000

export const leaveUnread: Scenario = async ({ store, say }) => {
  const keptMb = async () => [...(await readKept(store.port)).values()].reduce((sum, bytes) => sum + bytes, 0) / 1e6
  const sockets: Socket[] = []
  const { slowestHealthMs } = await watch(store, async () => {
    for (let n = 0; n < SOCKETS; n++) {
      const socket = await sendUnread(store.port, '/api/openapi.json', 1)
      sockets.push(socket)
      // Half of them leave in a way that ends no answer
      if (n % 2 === 0) socket.end()
    }
    await sleep(1_000)
    say(`${(await keptMb()).toFixed(0)} MB lie unread at first`)
    await sleep(AFTER_MS)
  })
  const what = `${SOCKETS} × GET /api/openapi.json that nobody reads`
  const value = await keptMb()
  for (const socket of sockets) socket.destroy()
  return [
    { what: `${what}: the kernel keeps after 30 s`, value, goal: KEPT_MB_MAX, unit: 'MB' },
    { what: `${what}: health answers within`, value: slowestHealthMs, goal: HEALTH_MS_MAX, unit: 'ms' },
  ]
}
