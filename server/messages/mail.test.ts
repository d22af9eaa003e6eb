/** Mail servers that are slow, hang up or trickle: a mail is tried a few times with the same link, and holds up few. */
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listen, startSlowMailServer, type Manner } from '../../test/worlds/mailboxes.ts'
import { openShop, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'
import { MAIL_TIMES } from './channels/email.ts'
import { sendDue, startMessages } from './worker.ts'
import { passOverSecurity } from '../../test/worlds/told.ts'

type Server = Awaited<ReturnType<typeof startSlowMailServer>>

async function withServer(
  mannerOf: (to: string) => Manner,
  work: (given: { shop: Shop; server: Server; buyers: Buyer[] }) => Promise<void>,
  { buyers: many = 1, thinksMs = 0 } = {},
): Promise<void> {
  const server = await startSlowMailServer(mannerOf, thinksMs)
  try {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        const { port } = server
        const channel = { name: 'email' as const, isOn: true, host: '127.0.0.1', port, from: 'shop@example.in' }
        await shop.owner.api.messages.saveChannel(channel)
        const buyers = await Promise.all(Array.from({ length: many }, () => shop.buyer()))
        await store.db.run(sql`update users set email_proven_at = ${store.clock.now()}`)
        await work({ shop, server, buyers })
      },
      { publicOrigin: 'http://shop.example' },
    )
  } finally {
    await server.stop()
  }
}

async function send({ app, db }: TestStore, mailTimes = MAIL_TIMES) {
  await passOverSecurity(db)
  await sendDue(app.services, { ...app.reach, mailTimes })
}
const states = ({ db }: TestStore) =>
  db.rows(sql(z.object({ state: z.string(), attempts: z.number() }))`select state, attempts from outbox_deliveries`)
const forgot = async (shop: Shop, { email }: Buyer) => {
  const asked = async () => {
    const count = sql`select count(*) as count from outbox_messages where kind = 'account.reset'`
    return (await shop.store.db.one(sql(z.object({ count: z.number() }))`${count}`)).count
  }
  const before = await asked()
  await shop.visitor().api.sessions.forgotPassword({ email })
  await expect.poll(asked, { timeout: 5_000 }).toBe(before + 1)
}
const linkIn = (text: string): string => text.replaceAll('=\r\n', '').match(/reset-password#([\w-]+)/)?.[1] ?? ''

test('a mail whose answer is lost is tried eight times in a day, each time with the same link, which works', () =>
  withServer(
    () => 'loses the answer',
    async ({ shop, server, buyers: [buyer] }) => {
      if (!buyer) throw new Error('No buyer')
      await forgot(shop, buyer)
      await send(shop.store)
      expect(await states(shop.store)).toEqual([{ state: 'waiting', attempts: 1 }])
      shop.store.clock.advance(7_000)
      await send(shop.store)
      const links = server.arrived.map(({ text }) => linkIn(text))
      expect(links).toHaveLength(2)
      expect(new Set(links).size, 'one link').toBe(1)
      const token = links[0] ?? ''
      await shop.visitor().api.sessions.resetPassword({ token, newPassword: 'a password after the mail' })
      // The link is used, so nothing more is sent
      shop.store.clock.advance(10 * 60_000)
      await send(shop.store)
      expect(server.arrived.filter(({ text }) => linkIn(text) !== '')).toHaveLength(2)

      shop.store.clock.advance(3_600_000)
      await forgot(shop, buyer)
      for (let hour = 0; hour < 48; hour += 1) {
        await send(shop.store)
        shop.store.clock.advance(3_600_000)
      }
      expect(server.arrived.filter(({ text }) => linkIn(text) !== '').length).toBeLessThanOrEqual(2 + 8)
      expect((await states(shop.store)).filter(({ state }) => state === 'waiting')).toEqual([])
    },
  ))

test('a repeated mail of before ends no newer link', () =>
  withServer(
    () => 'loses the answer',
    async ({ shop, server, buyers: [buyer] }) => {
      if (!buyer) throw new Error('No buyer')
      await forgot(shop, buyer)
      await send(shop.store)
      const { link } = await shop.owner.api.users.issueResetLink({ id: buyer.id })
      shop.store.clock.advance(7_000)
      await send(shop.store)
      expect(server.arrived).toHaveLength(1)
      const newPassword = 'a password by the newer link'
      await shop.visitor().api.sessions.resetPassword({ token: link.split('#')[1] ?? '', newPassword })
    },
  ))

test('a server that sends a byte now and then is left at the deadline of the mail', () =>
  withServer(
    () => 'trickles',
    async ({ shop, buyers: [buyer] }) => {
      if (!buyer) throw new Error('No buyer')
      await forgot(shop, buyer)
      const began = performance.now()
      await send(shop.store, { ...MAIL_TIMES, silence: 200, greeting: 60_000, whole: 600 })
      expect(performance.now() - began).toBeLessThan(3_000)
      expect(await states(shop.store)).toEqual([{ state: 'waiting', attempts: 1 }])
    },
  ))

test.each<Manner>(['says 554', 'refuses the sender'])(
  'a server that %s takes no mail of this store, so it waits',
  (manner) => {
    let now: Manner = manner
    return withServer(
      () => now,
      async ({ shop, server, buyers: [buyer] }) => {
        if (!buyer) throw new Error('No buyer')
        await forgot(shop, buyer)
        await send(shop.store)
        expect(await states(shop.store)).toEqual([{ state: 'waiting', attempts: 0 }])
        now = 'usual'
        shop.store.clock.advance(15_000)
        await send(shop.store)
        expect(server.arrived).toHaveLength(1)
      },
    )
  },
)

test('a mail that is refused for itself when the sender is named is over at once, and holds up no other', () => {
  let now: Manner = 'says 555'
  return withServer(
    () => now,
    async ({ shop, server, buyers: [one, other] }) => {
      if (!one || !other) throw new Error('No buyers')
      await forgot(shop, one)
      await send(shop.store)
      expect(await states(shop.store)).toEqual([{ state: 'dead', attempts: 1 }])
      now = 'usual'
      await forgot(shop, other)
      await send(shop.store)
      expect(server.arrived.map(({ to }) => to)).toEqual([other.email])
    },
    { buyers: 2 },
  )
})

test.each<Manner>(['has no room for the sender', 'has taken enough today'])(
  'a server that %s gets the mail again later, as of a full mailbox',
  (manner) => {
    let now: Manner = manner
    return withServer(
      () => now,
      async ({ shop, server, buyers: [buyer] }) => {
        if (!buyer) throw new Error('No buyer')
        await forgot(shop, buyer)
        await send(shop.store)
        expect(await states(shop.store)).toEqual([{ state: 'waiting', attempts: 1 }])
        now = 'usual'
        shop.store.clock.advance(7_000)
        await send(shop.store)
        expect(server.arrived.at(-1)?.to).toBe(buyer.email)
        expect(await states(shop.store)).toEqual([{ state: 'sent', attempts: 2 }])
      },
    )
  },
)

test('a server whose certificate nobody signed gets no mail, and the mail waits without a try', () =>
  withServer(
    () => 'usual',
    async ({ shop, buyers: [buyer] }) => {
      if (!buyer) throw new Error('No buyer')
      const unsigned = new SMTPServer({ authOptional: true })
      unsigned.on('error', () => {})
      // On this machine, too, but no address of the loopback
      const far = { host: '0.0.0.0', port: await listen(unsigned) }
      await shop.owner.api.messages.saveChannel({ name: 'email', ...far })
      await forgot(shop, buyer)
      await send(shop.store)
      await new Promise<void>((resolve) => {
        unsigned.close(() => resolve())
      })
      expect(await states(shop.store)).toEqual([{ state: 'waiting', attempts: 0 }])
    },
  ))

test('a refusal that no table can hold is noted all the same', () =>
  withServer(
    () => 'says a NUL',
    async ({ shop, buyers: [buyer] }) => {
      if (!buyer) throw new Error('No buyer')
      await forgot(shop, buyer)
      await send(shop.store)
      expect(await states(shop.store)).toEqual([{ state: 'dead', attempts: 1 }])
    },
  ))

test('a server that thinks for eleven seconds gets each mail once, and four of them hold up nobody', () => {
  const slow = new Set<string>()
  return withServer(
    (to) => (slow.has(to) ? 'thinks' : 'usual'),
    async ({ shop, server, buyers }) => {
      buyers.slice(0, 6).forEach(({ email }) => slow.add(email))
      for (const buyer of buyers) await forgot(shop, buyer)
      const stopping = new AbortController()
      const { services, reach } = shop.store.app
      const sending = startMessages({ ...services, ended: stopping.signal }, reach, () => {})
      const quick = () => server.arrived.filter(({ to }) => !slow.has(to)).length
      await expect.poll(quick, { timeout: 9_500 }).toBe(2)
      const all = async () => (await states(shop.store)).filter(({ state }) => state === 'sent').length
      await expect.poll(all, { timeout: 20_000 }).toBe(8)
      stopping.abort()
      await sending
      expect(server.arrived).toHaveLength(8)
    },
    { buyers: 8, thinksMs: 11_000 },
  )
})

test('waits for a mail server as long as RFC 5321 asks, and for one mail twelve minutes at most', () => {
  expect(MAIL_TIMES.greeting).toBeGreaterThanOrEqual(5 * 60_000)
  expect(MAIL_TIMES.silence).toBeGreaterThanOrEqual(10 * 60_000)
  expect(MAIL_TIMES.whole).toBe(12 * 60_000)
})
