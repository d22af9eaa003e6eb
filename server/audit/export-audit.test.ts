import { expect, test } from 'vitest'
import { openShop, OWNER } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'

test('the audit log by area and days, and the same as a file, which leaves an entry itself', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    await shop.owner.api.settings.saveNotice({ text: '=1+1' })
    store.clock.advance(24 * 3_600_000)
    await shop.owner.api.sessions.adminLogin(OWNER)
    await shop.owner.api.admins.stepUp({ password: OWNER.password })
    await shop.owner.api.settings.saveNotice({ text: 'Closed, on Sunday' })
    const found = async (query: string) => {
      const { entries } = (await shop.owner.get(`/admin/audit?${query}`)).body as { entries: { after: unknown }[] }
      return entries.map((entry) => entry.after)
    }

    expect(await found('action=settings.notice&to=2026-11-20')).toEqual([{ notice: '=1+1' }])
    expect(await found('action=settings.notice&from=2026-11-21')).toEqual([{ notice: 'Closed, on Sunday' }])
    expect(await found('action=settings.notice&from=2026-11-20&to=2026-11-21')).toHaveLength(2)
    expect((await shop.owner.get('/admin/audit?from=2026-11-31x')).status).toBe(400)

    const file = await shop.owner.get('/admin/audit/export?action=settings.notice&from=2026-11-21')
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = (file.body as string).split('\r\n')
    expect(lines[0]).toBe('Date and time (India),Admin,Action,Item,Before,After,IP address and browser')
    expect(lines[1]).toMatch(/^2026-11-21 21:14:00,owner,settings\.notice,Notice,/)
    expect(lines[1]).toContain('Notice,"{""notice"":""=1+1""}","{""notice"":""Closed, on Sunday""}",')
    expect(lines.slice(2)).toEqual([''])
    expect(await found('action=audit.export')).toEqual([{ action: 'settings.notice', from: '2026-11-21' }])
  }))

test('an audit log of 450 entries arrives whole', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    await store.db.run(sql`
      insert into audit_entries (id, seq, at, admin_name, action, subject, address, user_agent, hash)
      select gen_random_uuid(), 100000 + n, ${store.clock.now()}, '-cmd', 'test.entry', 'Entry ' || n, '', '', ''::bytea
        from generate_series(1, 450) as n`)

    const file = (await shop.owner.get('/admin/audit/export?action=test')).body as string

    const lines = file.trim().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',').slice(1, 4).join(' '))).toEqual(
      Array.from({ length: 450 }, (_, index) => `'-cmd test.entry Entry ${450 - index}`),
    )
  }))
