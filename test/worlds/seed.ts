/**
 * Rows of a store, in sets: users with a balance and a session, products with prices and keys. Tests, drills and
 * benchmarks start from them. The wallet's lines and the counters come from the store's own functions.
 */
import type { Paise } from '../../contract/money.ts'
import { countStock } from '../../server/keys/stock/stock-counters.ts'
import { sql, type Database, type Transaction } from '../../server/platform/database/database.ts'
import { hashToken, newId } from '../../server/platform/ids.ts'
import type { Sealer } from '../../server/platform/secrets/sealing.ts'
import { openWallet } from '../../server/wallet/credit.ts'
import { post, type Movement } from '../../server/wallet/ledger.ts'

const KEYS_AT_ONCE = 10_000
const TIMEOUT_MS = 600_000

export interface SeedUser {
  id: string
  username: string
  balance?: Paise
  /** Cookies of a browser that is logged in. */
  session?: { token: string; device: string }
}

export interface SeedProduct {
  id: string
  name: string
  prices: readonly { id: string; duration: string; listPrice: Paise }[]
}

export interface SeedKey {
  priceId: string
  text: string
}

const inOne = <T>(db: Database, work: (tx: Transaction) => Promise<T>) =>
  db.transaction(work, { statementTimeoutMs: TIMEOUT_MS })

/** @param passwordHash of all of them; without it nobody can log in */
export async function seedUsers(
  db: Database,
  users: readonly SeedUser[],
  { now, passwordHash = 'none' }: { now: Date; passwordHash?: string },
): Promise<void> {
  const ids = users.map((user) => user.id)
  const sessions = users.flatMap(({ id, session }) => (session ? [{ id, ...session }] : []))
  await inOne(db, async (tx) => {
    await tx.run(sql`
      insert into users (id, email, username, password_hash, referral_code, terms_accepted_at, created_at)
      select id, name || '@example.in', name, ${passwordHash}, 'WELCOME', ${now}, ${now}
        from unnest(${ids}::uuid[], ${users.map((user) => user.username)}::text[]) as person (id, name)`)
    await tx.run(sql`
      with opened as (
        insert into user_sessions (token_hash, user_id, device_hash, created_at, last_active_at)
        select token, id, device, ${now}, ${now}
          from unnest(${sessions.map(({ token }) => hashToken(token))}::bytea[],
                      ${sessions.map(({ id }) => id)}::uuid[],
                      ${sessions.map(({ device }) => hashToken(device))}::bytea[]) as session (token, id, device)
        returning user_id, device_hash)
      update users set device_hash = opened.device_hash, locked_at = ${now} from opened where users.id = user_id`)
    await openWallet(tx, ...ids)
    const lines = users.flatMap(({ id, balance }) => (balance ? [creditOf(id, balance, now)] : []))
    if (lines.length > 0) await post(tx, lines)
  })
}

/** A line that opens a lot, which its user may spend at any time. */
export function creditOf(userId: string, amount: Paise, now: Date): Movement & { opens: { id: string } } {
  const opens = { id: newId(), remaining: amount, expiresAt: null }
  const entries = [{ lotId: opens.id, amount, expiresAt: null }]
  return { id: newId(), userId, kind: 'admin_credit', description: 'Seeded', now, opens, entries }
}

export async function seedProducts(db: Database, products: readonly SeedProduct[], now: Date): Promise<void> {
  const prices = products.flatMap(({ id, prices }) =>
    prices.map((price, position) => ({ ...price, productId: id, position })),
  )
  await db.run(sql`
    with product as (
      insert into products (id, name, description, created_at)
      select id, name, 'A game', ${now}
        from unnest(${products.map(({ id }) => id)}::uuid[], ${products.map(({ name }) => name)}::text[])
            as each (id, name)
    )
    insert into prices (id, product_id, duration, list_paise, position)
    select * from unnest(${prices.map(({ id }) => id)}::uuid[], ${prices.map(({ productId }) => productId)}::uuid[],
                         ${prices.map(({ duration }) => duration)}::text[],
                         ${prices.map(({ listPrice }) => listPrice)}::bigint[],
                         ${prices.map(({ position }) => position)}::int[])`)
}

/** Keys of no batch, in their order. */
export async function seedKeys(
  db: Database,
  keys: readonly SeedKey[],
  { sealer, now }: { sealer: Sealer; now: Date },
): Promise<void> {
  const counts = new Map<string, number>()
  for (const { priceId } of keys) counts.set(priceId, (counts.get(priceId) ?? 0) + 1)
  await inOne(db, async (tx) => {
    for (let done = 0; done < keys.length; done += KEYS_AT_ONCE) {
      const part = keys.slice(done, done + KEYS_AT_ONCE).map((key) => ({ ...key, id: newId() }))
      await tx.run(sql`
        insert into license_keys (id, price_id, sealed, fingerprint, created_at)
        select id, price_id, sealed, fingerprint, ${now}
          from unnest(${part.map(({ id }) => id)}::uuid[], ${part.map(({ priceId }) => priceId)}::uuid[],
                      ${part.map(({ id, text }) => sealer.seal('key', id, text))}::bytea[],
                      ${part.map(({ text }) => sealer.fingerprint(text))}::bytea[])
               with ordinality as key (id, price_id, sealed, fingerprint, line)
         order by line`)
    }
    await countStock(tx, counts)
  })
}

/** How many different texts one price gets. */
export const keysOf = (priceId: string, count: number, stem: string): SeedKey[] =>
  Array.from({ length: count }, (_, n) => ({ priceId, text: `${stem}-${n}` }))
