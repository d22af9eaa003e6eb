/** Starting rows for tests, the demo and the benchmarks: `given…` makes one and answers with what names it. */
import * as z from 'zod/mini'
import { parseDuration } from '../../contract/duration.ts'
import { paise, parseRupees, ZERO, type Paise } from '../../contract/money.ts'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import { credit, openWallet } from '../../server/wallet/credit-and-debit.ts'
import { lockWallet } from '../../server/wallet/ledger.ts'
import { TEST_NOW, TEST_SEALER, unique } from './constants.ts'

const AT = new Date(TEST_NOW)

function inPaise(rupees: number): Paise {
  return parseRupees(rupees) ?? ZERO
}

/** @returns the user's id. `balance` is in rupees; the user cannot log in, for want of a password. */
export async function givenUser(
  db: Database,
  { balance = 0, expiresAt = null }: { balance?: number; expiresAt?: Date | null } = {},
): Promise<string> {
  const id = newId()
  const name = unique('buyer')
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into users (id, email, username, password_hash, referral_code, terms_accepted_at, created_at)
      values (${id}, ${`${name}@example.in`}, ${name}, 'none', 'WELCOME', ${AT}, ${AT})`)
    await openWallet(tx, id)
  })
  if (balance > 0) await givenCredit(db, id, { rupees: balance, expiresAt })
  return id
}

/** Adds a lot of credit. */
export async function givenCredit(
  db: Database,
  userId: string,
  { rupees, expiresAt = null, now = AT }: { rupees: number; expiresAt?: Date | null; now?: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockWallet(tx, userId, now)
    await credit(tx, { userId, amount: inPaise(rupees), kind: 'admin_credit', description: 'Given', expiresAt, now })
  })
}

export interface GivenProduct {
  productId: string
  priceId: string
  duration: string
}

/** `price` in rupees; `stock` keys of one duration. */
export async function givenProduct(
  db: Database,
  { price = 100, stock = 0, duration = '10 Days' }: { price?: number; stock?: number; duration?: string } = {},
): Promise<GivenProduct> {
  const productId = newId()
  const priceId = newId()
  const text = parseDuration(duration)?.text ?? duration
  await db.run(sql`
    with product as (
      insert into products (id, name, description, created_at) values (${productId}, ${unique('Game ')}, 'A game', ${AT})
    )
    insert into prices (id, product_id, duration, list_paise) values (${priceId}, ${productId}, ${text}, ${inPaise(price)})`)
  await givenStock(db, priceId, stock)
  return { productId, priceId, duration: text }
}

export async function givenStock(db: Database, priceId: string, quantity: number): Promise<void> {
  const texts = Array.from({ length: quantity }, () => unique('KEY-'))
  await db.run(sql`
    with added as (
      insert into license_keys (id, price_id, sealed, fingerprint, created_at)
      select id, ${priceId}, sealed, fingerprint, ${AT}
        from unnest(${texts.map(() => newId())}::uuid[], ${texts.map((text) => TEST_SEALER.seal(text))}::bytea[],
                    ${texts.map((text) => TEST_SEALER.fingerprint(text))}::bytea[]) as key (id, sealed, fingerprint)
    )
    insert into stock_counters (price_id, shard, available) values (${priceId}, 0, ${quantity})
    on conflict (price_id, shard) do update set available = stock_counters.available + excluded.available`)
}

export async function balanceOf(db: Database, userId: string): Promise<Paise> {
  const { balance } = await db.one(
    z.object({ balance: z.number() }),
    sql`select balance_paise as balance from wallets where user_id = ${userId}`,
  )
  return paise(balance)
}
