/** Buyers with money and a session, and a product with keys, written straight into the database. */
import { createHash, randomBytes } from 'node:crypto'
import { sql, type Database } from '../server/platform/database/database.ts'
import { hashToken, newId, newToken } from '../server/platform/ids.ts'
import { hashPassword } from '../server/platform/passwords/passwords.ts'
import type { Sealer } from '../server/platform/sealing.ts'

export interface DrillBuyer {
  id: string
  /** The cookies of a logged-in browser. */
  cookie: string
}

export interface Furnished {
  productId: string
  duration: string
  buyers: DrillBuyer[]
  /** Each buyer's first balance. */
  balancePaise: number
}

export const PRICE_PAISE = 100
const KEYS_AT_ONCE = 10_000

/** @param balancePaise each buyer's balance, as an admin's credit */
export async function furnish(
  db: Database,
  sealer: Sealer,
  { buyers, keys, balancePaise }: { buyers: number; keys: number; balancePaise: number },
): Promise<Furnished> {
  const now = new Date()
  const passwordHash = await hashPassword('a drill buyer password')
  const productId = newId()
  const priceId = newId()
  const tag = randomBytes(4).toString('hex')
  const people = Array.from({ length: buyers }, (_, n) => ({
    id: newId(),
    name: `drill${tag}${n}`,
    token: newToken(),
    device: newToken(),
    movement: newId(),
    lot: newId(),
  }))
  await db.transaction(
    async (tx) => {
      await tx.run(sql`insert into products (id, name, created_at) values (${productId}, ${`Drill ${tag}`}, ${now})`)
      await tx.run(sql`
        insert into prices (id, product_id, duration, list_paise) values (${priceId}, ${productId}, '1 Month', ${PRICE_PAISE})`)
      const who = sql`unnest(${people.map((each) => each.id)}::uuid[], ${people.map((each) => each.name)}::text[],
        ${people.map((each) => hashToken(each.token))}::bytea[], ${people.map((each) => hashToken(each.device))}::bytea[],
        ${people.map((each) => each.movement)}::uuid[], ${people.map((each) => each.lot)}::uuid[])
        as person (id, name, token, device, movement, lot)`
      await tx.run(sql`
        insert into users (id, email, username, password_hash, referral_code, device_hash, locked_at, terms_accepted_at, created_at)
        select id, name || '@example.in', name, ${passwordHash}, 'DRILL', device, ${now}, ${now}, ${now} from ${who}`)
      await tx.run(sql`
        insert into user_sessions (token_hash, user_id, device_hash, created_at, last_active_at)
        select token, id, device, ${now}, ${now} from ${who}`)
      await tx.run(sql`insert into wallets (user_id, balance_paise) select id, ${balancePaise} from ${who}`)
      if (balancePaise > 0) {
        await tx.run(sql`
          insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, created_at)
          select movement, id, 'admin_credit', ${balancePaise}::bigint, ${balancePaise}::bigint, 'Drill', ${now} from ${who}`)
        await tx.run(sql`
          insert into wallet_lots (id, user_id, movement_id, source, amount_paise, remaining_paise, added_at)
          select lot, id, movement, 'admin_credit', ${balancePaise}::bigint, ${balancePaise}::bigint, ${now} from ${who}`)
        await tx.run(sql`
          insert into wallet_entries (movement_id, lot_id, account, amount_paise)
          select movement, lot, 'adjustments', ${balancePaise}::bigint from ${who}`)
      }
      for (let done = 0; done < keys; done += KEYS_AT_ONCE) {
        const texts = Array.from({ length: Math.min(KEYS_AT_ONCE, keys - done) }, (_, n) => `${tag}-${done + n}`)
        await tx.run(sql`
          insert into license_keys (id, price_id, sealed, fingerprint, created_at)
          select id, ${priceId}, sealed, fingerprint, ${now}
            from unnest(${texts.map(() => newId())}::uuid[], ${texts.map((text) => sealer.seal(text))}::bytea[],
                        ${texts.map((text) => createHash('sha256').update(text).digest())}::bytea[]) as key (id, sealed, fingerprint)`)
      }
      await tx.run(sql`
        insert into stock_counters (price_id, shard, available) values (${priceId}, 0, ${keys})`)
    },
    { statementTimeoutMs: 120_000 },
  )
  return {
    productId,
    duration: '1 Month',
    balancePaise,
    buyers: people.map(({ id, token, device }) => ({ id, cookie: `chaabi_session=${token}; chaabi_device=${device}` })),
  }
}
