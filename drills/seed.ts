/** Writes buyers with money and a session, and a product with keys, straight into the database. */
import { randomBytes } from 'node:crypto'
import { paise } from '../contract/money.ts'
import type { Database } from '../server/platform/database/database.ts'
import { newId, newToken } from '../server/platform/ids.ts'
import { hashPassword } from '../server/platform/passwords/passwords.ts'
import type { Sealer } from '../server/platform/secrets/sealing.ts'
import { keysOf, seedKeys, seedProducts, seedUsers } from '../test/worlds/seed.ts'

export interface DrillBuyer {
  id: string
  /** The cookies of a logged-in browser. */
  cookie: string
}

export interface DrillShop {
  productId: string
  duration: string
  buyers: DrillBuyer[]
  /** Each buyer's first balance. */
  balancePaise: number
}

export const PRICE_PAISE = 100
const DURATION = '1 Month'

/** @param balancePaise each buyer's balance, as an admin's credit */
export async function seedShop(
  db: Database,
  sealer: Sealer,
  { buyers, keys, balancePaise }: { buyers: number; keys: number; balancePaise: number },
): Promise<DrillShop> {
  const now = new Date()
  const tag = randomBytes(4).toString('hex')
  const [productId, priceId] = [newId(), newId()]
  const people = Array.from({ length: buyers }, (_, n) => ({
    id: newId(),
    username: `drill${tag}${n}`,
    balance: paise(balancePaise),
    session: { token: newToken(), device: newToken() },
  }))
  await seedUsers(db, people, { now, passwordHash: await hashPassword('a drill buyer password') })
  const prices = [{ id: priceId, duration: DURATION, listPrice: paise(PRICE_PAISE) }]
  await seedProducts(db, [{ id: productId, name: `Drill ${tag}`, prices }], now)
  await seedKeys(db, keysOf(priceId, keys, tag), { sealer, now })
  return {
    productId,
    duration: DURATION,
    balancePaise,
    buyers: people.map(({ id, session }) => ({
      id,
      cookie: `chaabi_session=${session.token}; chaabi_device=${session.device}`,
    })),
  }
}
