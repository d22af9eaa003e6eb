/** Asking for a link to a new password tells nobody whether an address is known (security.md: 6.3.8). */
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openShop } from '../../test/worlds/shop.ts'
import { showing, withStore } from '../../test/store.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { forgotPassword } from './own-email.ts'

/** Longer than the work may wait. */
const DONE_MS = 1_500

/** @returns the database, and what was asked of it since the last look */
function watched(db: Database): { db: Database; asked: () => string[] } {
  const asked: string[] = []
  const seen = new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      asked.push(String(name))
      return member.bind(target) as unknown
    },
  })
  return { db: seen, asked: () => asked.splice(0) }
}

test('a known address and an unknown one make the same work, and none of it at once', () =>
  withStore(
    async (store) => {
      const shop = await openShop(store)
      const mail = { name: 'email', isOn: true, host: '127.0.0.1', port: 25, from: 'shop@example.in' } as const
      await shop.owner.api.messages.saveChannel(mail)
      const { email } = await shop.buyer()
      await store.db.run(sql`update users set email_proven_at = now()`)
      const { db, asked } = watched(store.db)
      const workFor = async (address: string) => {
        const from = { address: '127.0.0.1', cookies: showing() }
        const call = { now: store.clock.now(), log: pino({ level: 'silent' }), ...from }
        await forgotPassword({ ...store.app.services, db }, { email: address }, call)
        await new Promise(setImmediate)
        const atOnce = asked()
        await sleep(DONE_MS)
        return { atOnce, later: asked() }
      }

      const known = await workFor(email)

      expect(await workFor('nobody@example.in')).toEqual(known)
      expect(known).toEqual({ atOnce: ['transaction'], later: ['maybe', 'maybe', 'transaction'] })
      expect(await store.db.run(sql`delete from outbox_messages where kind = 'account.reset'`)).toBe(1)
    },
    { publicOrigin: 'https://shop.example.in' },
  ))
