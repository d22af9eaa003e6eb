import * as z from 'zod/mini'
import { expect, inject, test, vi } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { administer } from '../../test/engine.ts'
import { rules } from '../../test/worlds/bank.ts'
import { alertOf, phone } from '../../test/worlds/phones.ts'
import { logIn, nextUtr, openShop, OWNER } from '../../test/worlds/shop.ts'
import {
  MIGRATIONS,
  asOwner,
  countProducts,
  ownerOf,
  withBackup,
  withEmptyDatabase,
  withPlace,
} from '../../test/worlds/backups.ts'
import { copyOf, openBrowser, withSecondNode, withStore } from '../../test/store.ts'
import { backUp, restore } from './backup-store.ts'
import { forgetReplaced, listReplaced } from './upkeep-databases.ts'
import { closeDueAccounts } from '../privacy/close-due-accounts.ts'
import { machineClock } from '../platform/clock.ts'
import { verifyAuditChain } from '../audit/audit-chain.ts'
import { openDatabase, sql, type Queries } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { newId } from '../platform/ids.ts'

// Each restores several times
vi.setConfig({ testTimeout: 120_000 })

const Access = z.object({ sessions: z.number(), proofs: z.number(), links: z.number(), devices: z.number() })

/** Whatever lets somebody in without a password. */
const access = (db: Queries) =>
  db.one(sql(Access)`
    select (select count(*) from user_sessions where ended_at is null) +
           (select count(*) from admin_sessions where ended_at is null) as sessions,
           (select count(*) from admin_sessions where proven_at is not null) as proofs,
           (select count(*) from password_resets where used_at is null) +
           (select count(*) from telegram_links where revoked_at is null) as links,
           (select count(*) from users where device_hash is not null) as devices`)

test('who was logged in when a backup was made is not after it was restored, and logs in again, on any device', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 500 })
      await shop.owner.api.admins.stepUp({ password: OWNER.password })
      const link = await shop.owner.post(`/admin/users/${buyer.id}/reset-link`)
      expect(link.status).toBe(200)
      await store.db.run(sql`
        insert into telegram_links (id, admin_id, role, chat_id, from_id, created_at, expires_at)
        select ${newId()}, id, role, 7, 7, now(), now() + interval '90 days' from admins`)
      expect(await access(store.db)).toEqual({ sessions: 2, proofs: 1, links: 2, devices: 1 })
      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))

      await withEmptyDatabase(async (owner, name) => {
        const said: string[] = []
        await restore({ ...place, owner, say: (line) => void said.push(line) }, file, { replace: false })

        expect(said.join('\n')).toMatch(
          /^All users and admins are logged out\. Passwords, .* are as of 2026-11-21T12:00:00\.000Z\. /m,
        )
        expect(await asOwner(owner, access)).toEqual({ sessions: 0, proofs: 0, links: 0, devices: 0 })
        await asOwner(owner, async (db) => expect(await findBroken(db, MIGRATIONS)).toEqual([]))
        await asOwner(owner, async (db) => expect(await verifyAuditChain(db)).toEqual([]))
        await withSecondNode({ ...store, databaseName: name }, async ({ url }) => {
          expect((await copyOf(url, buyer).get('/auth/me')).body).toMatchObject({ code: 'SESSION_EXPIRED' })
          expect((await copyOf(url, shop.owner).get('/admin/stats')).status).toBe(401)
          const elsewhere = openBrowser(url)
          expect((await logIn(elsewhere, buyer.username)).status).toBe(200)
          expect((await elsewhere.get('/auth/me')).status).toBe(200)
        })
      })
    }),
  ))

test('a restored store credits nothing by itself until its owner says so, not even on the word of a lost phone', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      const shop = await openShop(store)
      const { token } = await phone(shop)
      await shop.owner.api.bank.saveRules(rules({ mode: 'auto', trusts: 'phone' }))
      const utr = nextUtr()
      const { payment } = await (
        await shop.buyer()
      ).api.payments.addMoney({ amount: 500, utr, payerName: '9876543210' })
      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))

      await withEmptyDatabase(async (owner, name) => {
        const said: string[] = []
        await restore({ ...place, owner, say: (line) => void said.push(line) }, file, { replace: false })

        await withSecondNode({ ...store, databaseName: name }, async ({ url }) => {
          const alert = JSON.stringify({ from: 'VM-HDFCBK-S', text: alertOf({ ref: utr, amount: '500.00' }) })
          const heard = await openBrowser(url).call('POST', '/bank/alerts', alert, { authorization: `Bearer ${token}` })
          expect(heard.body).toEqual({ outcome: 'ignored' })
          const { api } = openBrowser(url)
          await api.sessions.adminLogin(OWNER)
          const why = 'The store was restored from a backup'
          expect(await api.bank.rules({})).toMatchObject({ mode: 'propose', offWhy: why })
          expect((await api.bank.alarms({ open: true })).alarms).toMatchObject([{ kind: 'automation-off' }])
          expect((await api.bank.devices({})).devices).toMatchObject([{ pausedWhy: why, endedAt: null }])
          const { payments } = await api.payments.list({})
          expect(payments.find(({ _id }) => _id === payment._id)).toMatchObject({ status: 'pending' })
        })
        expect(said.join('\n')).toContain('Automatic approval is off, and the phones of the bank inbox are paused')
      })
    }),
  ))

test('an account that was closing at the backup is not erased before its buyer can keep it again', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      await store.db.run(sql`update users set closes_at = '2026-11-22' where id = ${buyer.id}`)
      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))

      await withEmptyDatabase(async (owner) => {
        await restore({ ...place, owner }, file, { replace: false })
        const after = (days: number) => new Date(machineClock.now().getTime() + days * 86_400_000)
        await asOwner(owner, async (db) =>
          expect(await closeDueAccounts(db, after(6))).toEqual({ closed: 0, heldUp: 0 }),
        )
        await asOwner(owner, async (db) => expect(await closeDueAccounts(db, after(8))).toMatchObject({ closed: 1 }))
      })
    }),
  ))

test('what is restored has the rights and settings of what was there, which is kept beside it', () =>
  withBackup(async (file, place) => {
    await withEmptyDatabase(async (owner, name) => {
      const said: string[] = []
      const there = { ...place, owner, say: (line: string) => void said.push(line) }
      await restore(there, file, { replace: false })
      await asOwner(owner, (db) => db.run(sql`delete from products where id not in (select product_id from orders)`))
      await asOwner(owner, (db) =>
        db.run(sql`insert into products (id, name, created_at) values (${newId()}, 'Newer', now())`),
      )
      await administer(inject('engine').connection, `alter database ${name} set statement_timeout = '77s'`)
      await administer(inject('engine').connection, `revoke connect on database ${name} from public`)

      await restore(there, file, { replace: true })

      expect(await asOwner(owner, countProducts)).toEqual({ products: 1 })
      const Rights = z.object({ sells: z.boolean(), rewrites: z.boolean(), anybody: z.boolean(), limit: z.string() })
      const rights = await asOwner(owner, (db) =>
        db.one(sql(Rights)`
          select has_table_privilege('chaabi_app', 'orders', 'insert') as sells,
                 has_table_privilege('chaabi_app', 'wallet_entries', 'update') as rewrites,
                 (select count(*) > 0 from pg_database, aclexplode(datacl) acl
                   where datname = current_database() and acl.grantee = 0
                     and acl.privilege_type = 'CONNECT') as anybody,
                 (select setconfig[1] from pg_db_role_setting join pg_database on oid = setdatabase
                   where datname = current_database()) as limit`),
      )
      expect(rights).toEqual({ sells: true, rewrites: false, anybody: false, limit: 'statement_timeout=77s' })
      const named = said.flatMap((line) => /replaced_\w+/.exec(line) ?? [])
      expect(named, 'nothing is kept of the empty place that the first one found').toHaveLength(1)
      const [second = ''] = named
      expect(await asOwner(ownerOf(second), countProducts)).toEqual({ products: 2 })
      const kept = () => asOwner(owner, listReplaced)
      expect((await kept()).map((each) => each.name)).toEqual([second])
      await forgetReplaced(there)
      expect(await kept()).toEqual([])
    })
  }))

test('a restore that ends before its last step has changed nothing, and leaves nothing behind', () =>
  withBackup(async (file, place) => {
    await withEmptyDatabase(async (owner) => {
      const proofs = () =>
        asOwner(owner, (db) => db.texts(sql`select datname from pg_database where datname like 'chaabi_proof_%'`))
      const before = await proofs()
      const say = (line: string) => {
        if (line.startsWith('Checked the backup')) throw new Error('cut short')
      }
      await expect(restore({ ...place, owner, say }, file, { replace: false })).rejects.toThrow('cut short')
      const there = await asOwner(owner, (db) =>
        db.one(sql(z.object({ users: z.nullable(z.string()) }))`select to_regclass('users')::text as users`),
      )
      expect(there).toEqual({ users: null })
      const left = (await proofs()).filter((name) => !before.includes(name))
      // Those of tests beside this one go, too
      const areLeft = async () => (await proofs()).filter((name) => left.includes(name))
      await expect.poll(areLeft, { timeout: 60_000 }).toEqual([])
      expect(await asOwner(owner, listReplaced)).toEqual([])
    })
  }))

test('who has hung up just now is not taken for a store that runs, and who stays is', () =>
  withBackup(async (file, place) => {
    await withEmptyDatabase(async (owner) => {
      const last = openDatabase({ connection: owner, poolSize: 1 })
      await last.run(sql`select 1`)
      await expect(restore({ ...place, owner }, file, { replace: false })).rejects.toThrow('The store is running')
      const hangingUp = sleep(500).then(() => last.close())
      await restore({ ...place, owner }, file, { replace: false })
      await hangingUp
    })
  }))
