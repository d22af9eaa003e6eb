/** Users as their own pages and the admin's list show them: account, wallet, custom prices and hidden products. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'
import { languageOf } from '../../contract/languages.ts'
import { AdminUser, User } from '../../contract/users.ts'
import { sql, type Database } from '../platform/database/database.ts'
import type { CachedReads } from '../platform/database/snapshot-cache.ts'
import { readWallets, settleWhenDue, type WalletView } from '../wallet/read-wallets.ts'

/** Skips prices that are no longer for sale. */
const OWN_PRICES = sql`
  (select coalesce(json_agg(json_build_object('productId', price.product_id, 'duration', price.duration,
                                          'price', custom.paise)
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

const NO_WALLET: WalletView = { wallet: [], balance: 0 }

const UserRow = z.extend(z.omit(User, { id: true, wallet: true, balance: true, isAdmin: true }), {
  emailProven: z.boolean(),
  isReseller: z.boolean(),
  language: z.nullable(z.string()),
  group: z.nullable(z.object({ name: z.string(), by: z.enum(['hand', 'spend']) })),
})

/** @returns the user as they see themselves; undefined when the account is closed */
export async function readUser(db: Database, id: string, now: Date): Promise<User | undefined> {
  const [row, wallets] = await Promise.all([
    db.maybe(sql(UserRow)`
      select id as _id, email, username, created_at, usd_cents as usd_balance, ${OWN_PRICES} as custom_prices,
             ${HIDDEN_PRODUCTS} as hidden_products, referral_code, email_proven_at is not null as email_proven,
             language, is_reseller,
             (select json_build_object('name', name, 'by', group_by)
                from buyer_groups where id = users.group_id) as "group"
        from users
       where id = ${id} and deleted_at is null`),
    readWallets(db, [id], now),
  ])
  if (!row) return undefined
  const { emailProven, isReseller, language: kept, group, ...user } = row
  const language = languageOf(kept ?? undefined)
  return {
    ...user,
    id,
    ...(emailProven && { emailProven }),
    ...(language && { language }),
    ...(isReseller && { isReseller }),
    ...(group && { group }),
    ...(wallets.get(id) ?? NO_WALLET),
    isAdmin: false,
  }
}

/** @throws Refusal NO_SESSION for an account that was closed a moment ago */
export async function readOwnAccount(db: Database, id: string, now: Date): Promise<User> {
  const user = await readUser(db, id, now)
  if (!user) throw new Refusal('NO_SESSION')
  return user
}

/** Returns the same as `readUser`, cached until a change; not to be changed. */
export async function showUser(db: Database, kept: CachedReads, id: string, now: Date): Promise<User | undefined> {
  const read = () => kept.readRow(`user ${id}`, () => readUser(db, id, now))
  const [lapsed, user] = await Promise.all([settleWhenDue(db, kept, id, now), read()])
  return lapsed ? read() : user
}

/** Open tokens that have not expired; null for who is no reseller. */
const resellerAt = (now: Date) => sql`
  case when is_reseller then
    (select json_build_object('tokens', count(*) filter (where ended_at is null and expires_at > ${now}),
                              'lastUsedAt', max(last_used_at))
       from api_tokens where user_id = users.id) end`

/** A moment inside JSON, where the database writes it in its own way. */
const asMoment = (at: string | null) => (at === null ? null : new Date(at).toISOString())

const AdminUserRow = z.extend(z.omit(AdminUser, { wallet: true, balance: true, blocked: true, reseller: true }), {
  blockedAt: z.nullable(Moment),
  blockedReason: z.nullable(z.string()),
  reseller: z.nullable(z.object({ tokens: z.number(), lastUsedAt: z.nullable(z.string()) })),
})

/** @returns the users with these ids as admins see them, in their order; closed accounts are skipped */
export async function readAdminUsers(db: Database, ids: readonly string[], now: Date): Promise<AdminUser[]> {
  const [rows, wallets] = await Promise.all([
    db.rows(sql(AdminUserRow)`
      select users.id as _id, email, username, created_at, ${OWN_PRICES} as custom_prices,
             ${HIDDEN_PRODUCTS} as hidden_products, referral_code, locked_at as device_locked_at,
             (select phone from topup_requests
               where user_id = users.id and status = 'approved' and phone <> ''
               order by created_at desc, id desc limit 1) as contact,
             (select max(last_active_at) from user_sessions where user_id = users.id) as last_seen_at,
             blocked_at, blocked_reason, ${resellerAt(now)} as reseller,
             (select json_build_object('_id', id, 'name', name)
                from buyer_groups where id = users.group_id) as "group", group_by,
             array(select other.username
                     from referral_uses own
                     join referral_uses same on same.mailbox_fingerprint = own.mailbox_fingerprint
                                           and same.user_id <> own.user_id
                     join users other on other.id = same.user_id and other.deleted_at is null
                    where own.user_id = users.id order by other.created_at limit 5) as same_mailbox
        from unnest(${ids}::uuid[]) with ordinality as wanted (id, position)
        join users on users.id = wanted.id and users.deleted_at is null
       order by wanted.position`),
    readWallets(db, ids, now),
  ])
  return rows.map(({ blockedAt: at, blockedReason: reason, reseller, ...user }) => ({
    ...user,
    ...(reseller && { reseller: { ...reseller, lastUsedAt: asMoment(reseller.lastUsedAt) } }),
    ...(wallets.get(user._id) ?? NO_WALLET),
    blocked: at !== null && reason !== null ? { reason, at } : null,
  }))
}
