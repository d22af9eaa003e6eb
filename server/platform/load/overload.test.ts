import { pino } from 'pino'
import { expect, test } from 'vitest'
import { withStore } from '../../../test/store.ts'

test('a node that ends says so in the log, and does not blame the database', () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  return withStore(
    async (store) => {
      void store.app.drain(1_000)

      expect((await store.browser().get('/health')).status).toBe(503)

      expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['this node ends'])
    },
    { log },
  )
})
