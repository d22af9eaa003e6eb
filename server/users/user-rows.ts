/** Users as their own pages and the admin's list show them: account, wallet, custom prices and hidden products. */
import * as z from 'zod/mini'
import { paise, toRupees } from '../../contract/money.ts'
import type { AdminUser, User } from '../../contract/users.ts'
import { sql, type Database } from '../platform/database/database.ts'
import type { CachedReads } from '../platform/database/snapshot-cache.ts'
import { readWallets, settleWhenDue, type WalletView } from '../wallet/read-wallets.ts'

const CustomPrices = z.array(z.object({ productId: z.string(), duration: z.string(), paise: z.number() }))
/** Skips prices that are no longer for sale. */
const OWN_PRICES = sql`
  (select coalesce(json_agg(json_build_object('productId', price.product_id, 'duration', price.duration,
                                          'paise', custom.paise)
                            order by product.position, product.sequence, price.position, price.id), '[]')
     from custom_prices custom
     join prices price on price.id = custom.price_id and price.removed_at is null
     join products product on product.id = price.product_id and product.deleted_at is null
    where custom.user_id = users.id)`
const HIDDEN_PRODUCTS = sql`
  array(select hidden.product_id::text
          from hidden_products hidden
          join products product on product.id = hidden.product_id and product.deleted_at is null
         where hidden.user_id = users.id
         order by product.position, product.sequence)`

const UserRow = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  createdAt: z.date(),
  usdCents: z.number(),
  customPrices: CustomPrices,
  hiddenProducts: z.array(z.string()),
  referralCode: z.string(),
  emailProven: z.boolean(),
})

/** @returns the user as they see themselves; undefined when the account is closed */
export async function readUser(db: Database, id: string, now: Date): Promise<User | undefined> {
  const [user, wallets] = await Promise.all([
    db.maybe(
      UserRow,
      sql`
      select id, email, username, created_at as "createdAt", usd_cents as "usdCents", ${OWN_PRICES} as "customPrices",
             ${HIDDEN_PRODUCTS} as "hiddenProducts", referral_code as "referralCode",
             email_proven_at is not null as "emailProven"
        from users
       where id = ${id} and deleted_at is null`,
    ),
    readWallets(db, [id], now),
  ])
  if (!user) return undefined
  return {
    _id: user.id,
    id: user.id,
    email: user.email,
    ...(user.emailProven && { emailProven: true as const }),
    username: user.username,
    createdAt: user.createdAt.toISOString(),
    ...walletOnWire(wallets.get(id)),
    // Converts like paise, because cents are to dollars what paise are to rupees
    usdBalance: toRupees(paise(user.usdCents)),
    customPrices: pricesOnWire(user.customPrices),
    hiddenProducts: user.hiddenProducts,
    referralCode: user.referralCode,
    isAdmin: false,
  }
}

/** Returns the same as `readUser`, cached until a change; not to be changed. */
export async function showUser(db: Database, kept: CachedReads, id: string, now: Date): Promise<User | undefined> {
  const read = () => kept.read(`user ${id}`, () => readUser(db, id, now))
  const [lapsed, user] = await Promise.all([settleWhenDue(db, kept, id, now), read()])
  return lapsed ? read() : user
}

const AdminUserRow = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  createdAt: z.date(),
  customPrices: CustomPrices,
  hiddenProducts: z.array(z.string()),
  contact: z.nullable(z.string()),
  referralCode: z.string(),
  deviceLockedAt: z.nullable(z.date()),
  lastSeenAt: z.nullable(z.date()),
})

/** @returns the users with these ids as admins see them, in their order; closed accounts are skipped */
export async function readAdminUsers(db: Database, ids: readonly string[], now: Date): Promise<AdminUser[]> {
  const [rows, wallets] = await Promise.all([
    db.rows(
      AdminUserRow,
      sql`
      select users.id, email, username, created_at as "createdAt", ${OWN_PRICES} as "customPrices",
             ${HIDDEN_PRODUCTS} as "hiddenProducts", referral_code as "referralCode", locked_at as "deviceLockedAt",
             (select phone from topup_requests
               where user_id = users.id and status = 'approved'
               order by created_at desc, id desc limit 1) as contact,
             (select max(last_active_at) from user_sessions where user_id = users.id) as "lastSeenAt"
        from unnest(${ids}::uuid[]) with ordinality as wanted (id, position)
        join users on users.id = wanted.id and users.deleted_at is null
       order by wanted.position`,
    ),
    readWallets(db, ids, now),
  ])
  return rows.map((user) => ({
    _id: user.id,
    email: user.email,
    username: user.username,
    createdAt: user.createdAt.toISOString(),
    ...walletOnWire(wallets.get(user.id)),
    customPrices: pricesOnWire(user.customPrices),
    hiddenProducts: user.hiddenProducts,
    contact: user.contact,
    referralCode: user.referralCode,
    deviceLockedAt: user.deviceLockedAt?.toISOString() ?? null,
    lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
  }))
}

function walletOnWire(wallet: WalletView | undefined): Pick<User, 'wallet' | 'balance'> {
  if (!wallet) return { wallet: [], balance: 0 }
  return {
    wallet: wallet.lots.map(({ id, amount, expiresAt, addedAt, source }) => ({
      _id: id,
      amount: toRupees(amount),
      expiresAt: expiresAt?.toISOString() ?? null,
      addedAt: addedAt.toISOString(),
      source,
    })),
    balance: toRupees(wallet.balance),
  }
}

function pricesOnWire(prices: z.output<typeof CustomPrices>): User['customPrices'] {
  return prices.map(({ productId, duration, paise: amount }) => ({
    productId,
    duration,
    price: toRupees(paise(amount)),
  }))
}
