/** Starting rows for a test: `given…` makes one and answers with what names it. */
import { parseDuration } from '../../contract/duration.ts'
import { paise, parseRupees, ZERO, type Paise } from '../../contract/money.ts'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import { allowedBefore } from '../../server/wallet/allowance.ts'
import { credit } from '../../server/wallet/credit.ts'
import { lockWallet } from '../../server/wallet/ledger.ts'
import { TEST_NOW, TEST_SEALER, unique } from './constants.ts'
import { keysOf, seedKeys, seedProducts, seedUsers } from './seed.ts'

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
  await seedUsers(db, [{ id, username: unique('buyer') }], { now: AT })
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
    const amount = inPaise(rupees)
    const allowance = allowedBefore(amount)
    credit(tx, { userId, amount, allowance, kind: 'admin_credit', description: 'Given', expiresAt, now })
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
  { price = 100, stock = 0, duration: written = '10 Days' }: { price?: number; stock?: number; duration?: string } = {},
): Promise<GivenProduct> {
  const [productId, priceId] = [newId(), newId()]
  const duration = parseDuration(written)?.text ?? written
  const prices = [{ id: priceId, duration, listPrice: inPaise(price) }]
  await seedProducts(db, [{ id: productId, name: unique('Game '), prices }], AT)
  if (stock > 0) await givenStock(db, priceId, stock)
  return { productId, priceId, duration }
}

export function givenStock(db: Database, priceId: string, quantity: number): Promise<void> {
  return seedKeys(db, keysOf(priceId, quantity, unique('KEY-')), { sealer: TEST_SEALER, now: AT })
}

export async function balanceOf(db: Database, userId: string): Promise<Paise> {
  const balance = await db.count(sql`select balance_paise from wallets where user_id = ${userId}`)
  return paise(balance)
}
