import { expect, test } from 'vitest'
import { ask, withPush } from '../../test/worlds/push-shop.ts'
import { sql } from '../platform/database/database.ts'
import { tellHealth } from './tell-health.ts'

test('a test tells the newest real event of its kind, and never makes a link that is for its reader alone', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { messages } = shop.owner.api
    const { db, clock } = shop.store
    const tried = (kind: Parameters<typeof messages.testChannel>[0]['kind']) =>
      messages.testChannel({ name: 'push', kind })
    expect(await tried('health.red')).toMatchObject({
      state: 'dropped',
      error: 'Nothing of this kind has happened yet.',
    })
    await tellHealth(db, false, clock.now())
    await ask(buyer)
    expect([await tried('health.red'), await tried('topup.requested')]).toMatchObject([
      { state: 'sent' },
      { state: 'sent' },
    ])
    expect(push.arrived.map(({ message }) => message['title'])).toEqual([
      'Your store has a problem',
      `₹500 from ${buyer.username}`,
    ])
    await db.run(sql`
      insert into outbox_messages (id, kind, user_id, data, not_before, created_at)
      values (${crypto.randomUUID()}, 'account.reset', ${buyer.id}, '{}', ${clock.now()}, ${clock.now()})`)
    expect(await tried('account.reset')).toMatchObject({ state: 'dropped' })
    await messages.saveChannel({ name: 'push', isOn: false })
    expect(await shop.owner.post('/messages/channels/push/test', { kind: 'health.red' })).toMatchObject({
      status: 409,
      body: { code: 'CHANNEL_OFF' },
    })
  }))
