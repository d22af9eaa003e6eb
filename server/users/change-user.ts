import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import { parseDuration } from '../../contract/duration.ts'
import { Refusal } from '../../contract/errors.ts'
import { ADJUSTMENT_EXPIRY_DEFAULT_DAYS } from '../../contract/limits.ts'
import { add, formatPaise, negate, paise, type Paise, toRupees, ZERO } from '../../contract/money.ts'
import type { AdminUser, users } from '../../contract/users.ts'
import { DAY_MS } from '../../contract/time.ts'
import { audit, canonical, type ProvingBy } from '../audit/audit.ts'
import { isCheaper, readOffersTo } from '../catalogue/offers.ts'
import { columns, literal, sql, type Queries, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { FORGOTTEN_AT_ONCE } from '../platform/jobs.ts'
import type { Services } from '../platform/services.ts'
import { allowCredit, type Allowance } from '../wallet/allowance.ts'
import { credit } from '../wallet/credit.ts'
import { debit } from '../wallet/debit.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { lockAccount } from './access/accounts.ts'
import { readAdminUsers } from './user-rows.ts'

type By = ProvingBy & Pick<Call<'admin'>, 'isProven'> & Partial<Pick<Call<'admin'>, 'idempotencyKey'>>
type Change = z.output<(typeof users.update)['input']>
type CustomPrice = NonNullable<Change['customPrices']>[number]

/**
 * Saves an admin's form for a user. Each given list replaces the stored one, and `balance` is added to the wallet.
 * All of it happens, or nothing. Under one Idempotency-Key it happens once.
 * @throws Refusal NOT_FOUND, IDEMPOTENCY_KEY_REUSED, STEP_UP_REQUIRED for a large amount, too much in a day or a
 *   lower price, PRODUCT_NOT_FOUND, or INSUFFICIENT_BALANCE when the wallet holds less than the debit
 */
export async function changeUser(
  { db, events }: Services,
  change: Change,
  by: By,
): Promise<{ message: string; user: AdminUser }> {
  const { id, customPrices, hiddenProducts, balance, ...terms } = change
  const amount = typeof balance === 'number' ? balance : ZERO
  const isDone = await db.transaction(async (tx) => {
    const balanceBefore = amount === 0 ? undefined : await lockWallet(tx, id, by.now)
    const account = await lockAccount(tx, id)
    if (!account) throw new Refusal('NOT_FOUND')
    if (by.idempotencyKey !== undefined && !(await isFirst(tx, by.idempotencyKey, change, by))) return false
    // Counts deductions as well, because a thief could move money with them
    const allowance = await allowCredit(tx, by, paise(Math.abs(amount)))

    const before = await readLists(tx, id)
    if (customPrices || hiddenProducts) {
      const offers = await readOffersTo(tx, id)
      if (customPrices) await replaceCustomPrices(tx, id, customPrices)
      if (hiddenProducts) await replaceHiddenProducts(tx, id, hiddenProducts)
      // As for a lower list price, because a thief of the session would sell the stock to themselves
      if (isCheaper(offers, await readOffersTo(tx, id))) by.requireProof()
    }
    const balanceAfter =
      balanceBefore === undefined
        ? undefined
        : await adjustBalance(tx, id, balanceBefore, amount, terms, { ...by, allowance })

    const after = await readLists(tx, id)
    await audit(tx, by, {
      action: 'user.update',
      subject: `${account.username} (${id})`,
      before: { ...before, ...(balanceBefore === undefined ? {} : { balance: toRupees(balanceBefore) }) },
      after: {
        ...after,
        ...(balanceAfter === undefined ? {} : { balance: toRupees(balanceAfter), change: toRupees(amount), ...terms }),
      },
    })
    return true
  })
  if (isDone && amount !== 0) events.publish({ to: { user: id }, name: 'balance' })
  if (isDone && (customPrices || hiddenProducts)) events.publish({ to: { user: id }, name: 'stock' })
  const [user] = await readAdminUsers(db, [id], by.now)
  if (!user) throw new Refusal('NOT_FOUND')
  return { message: 'User updated', user }
}

/**
 * Takes an Idempotency-Key for this change, unless the same admin has sent the same change with it before. A change
 * that is rolled back gives its key back.
 * @throws Refusal IDEMPOTENCY_KEY_REUSED when it was another change
 */
async function isFirst(tx: Transaction, key: string, change: Change, { admin, now }: By): Promise<boolean> {
  const requestHash = createHash('sha256')
    .update(canonical(change) ?? '')
    .digest()
  // Waits for a running call with the same key, and then finds its result
  const taken = await tx.run(sql`
    insert into user_changes (admin_id, idempotency_key, request_hash, created_at)
    values (${admin.id}, ${key}, ${requestHash}, ${now})
    on conflict (admin_id, idempotency_key) do nothing`)
  if (taken > 0) return true
  const { hash } = await tx.one(sql(() => z.object({ hash: z.instanceof(Buffer) }))`
    select request_hash as hash from user_changes where admin_id = ${admin.id} and idempotency_key = ${key}`)
  if (hash.equals(requestHash)) return false
  throw new Refusal('IDEMPOTENCY_KEY_REUSED', {
    message: 'This Idempotency-Key was already used for a different change.',
  })
}

/** Deletes a batch of the changes made before a moment. @returns how many */
export function forgetChanges(db: Queries, before: Date): Promise<number> {
  return db.run(sql`
    delete from user_changes where (admin_id, idempotency_key) in (
      select admin_id, idempotency_key from user_changes where created_at < ${before}
       limit ${literal(FORGOTTEN_AT_ONCE)})`)
}

/**
 * Posts a signed change. The wallet must be locked in this transaction, and hold `balance`.
 * @returns the new balance
 * @throws Refusal INSUFFICIENT_BALANCE
 */
async function adjustBalance(
  tx: Transaction,
  userId: string,
  balance: Paise,
  amount: Paise,
  { reason = '', expiresInDays }: Pick<Change, 'reason' | 'expiresInDays'>,
  { admin, now, allowance }: By & { allowance: Allowance },
): Promise<Paise> {
  const left = add(balance, amount)
  if (left < 0) {
    throw new Refusal('INSUFFICIENT_BALANCE', {
      say: ['You can deduct up to {most}. The balance can’t go below ₹0.', { most: formatPaise(balance) }],
      details: { shortfall: toRupees(negate(left)) },
    })
  }
  const days = expiresInDays === undefined ? ADJUSTMENT_EXPIRY_DEFAULT_DAYS : expiresInDays
  const ends = days === null ? null : new Date(now.getTime() + days * DAY_MS)
  const described = (what: string) => (reason === '' ? what : `${what}: ${reason}`)
  const cause = { userId, adminId: admin.id, now }
  if (amount > 0) {
    const description = described('Added by admin')
    credit(tx, { ...cause, kind: 'admin_credit', amount, allowance, description, expiresAt: ends })
  } else {
    const description = described('Deducted by admin')
    await debit(tx, { ...cause, kind: 'admin_debit', amount: negate(amount), description, endsAt: ends })
  }
  return left
}

const ResolvedPrice = z.object({ position: z.number(), priceId: z.nullable(z.string()) })

/**
 * Makes these the user's custom prices; an empty one removes it. Prices of deleted products stay, because no form
 * shows them. The account must be locked in this transaction.
 * @throws Refusal PRODUCT_NOT_FOUND for a price of a product that is not for sale
 */
async function replaceCustomPrices(tx: Transaction, userId: string, wanted: readonly CustomPrice[]): Promise<void> {
  const read = wanted.map(({ productId, duration }, position) => ({
    position,
    productId,
    duration: parseDuration(duration)?.text ?? duration,
  }))
  const resolved = await tx.rows(sql(ResolvedPrice)`
    select wanted.position, price.id as price_id
      from ${columns(read, 'position int, product_id uuid, duration text')} as wanted
      left join products product on product.id = wanted.product_id and product.deleted_at is null
      left join prices price on price.product_id = product.id and price.duration = wanted.duration
                            and price.removed_at is null
     order by wanted.position`)
  const amounts = new Map<string, Paise>()
  for (const { position, priceId } of resolved) {
    const price = wanted[position]?.price
    if (typeof price === 'number') {
      if (priceId === null) throw new Refusal('PRODUCT_NOT_FOUND')
      amounts.set(priceId, price)
    } else if (priceId !== null) {
      amounts.delete(priceId)
    }
  }
  await tx.run(sql`
    delete from custom_prices custom
     using prices price, products product
     where custom.user_id = ${userId} and price.id = custom.price_id and price.removed_at is null
       and product.id = price.product_id and product.deleted_at is null`)
  await tx.run(sql`
    insert into custom_prices (user_id, price_id, paise)
    select ${userId}, price_id, paise
      from ${columns(
        [...amounts].map(([priceId, paise]) => ({ priceId, paise })),
        'price_id uuid, paise bigint',
      )} as price
    on conflict (user_id, price_id) do update set paise = excluded.paise`)
}

/**
 * Hides these products from the user, and no others. Deleted products stay as they were. The account must be locked
 * in this transaction.
 * @throws Refusal PRODUCT_NOT_FOUND for an id that was never a product's
 */
async function replaceHiddenProducts(tx: Transaction, userId: string, wanted: readonly string[]): Promise<void> {
  const ids = [...new Set(wanted.map((id) => id.toLowerCase()))]
  const known = await tx.count(sql`select count(*) from products where id = any(${ids}::uuid[])`)
  if (known < ids.length) throw new Refusal('PRODUCT_NOT_FOUND')
  await tx.run(sql`
    delete from hidden_products hidden
     using products product
     where hidden.user_id = ${userId} and product.id = hidden.product_id and product.deleted_at is null`)
  await tx.run(sql`
    insert into hidden_products (user_id, product_id)
    select ${userId}, id from products where id = any(${ids}::uuid[])
    on conflict (user_id, product_id) do nothing`)
}

const OwnPrice = z.object({ product: z.string(), duration: z.string(), price: Rupees })

interface Lists {
  customPrices: Record<string, number>
  hiddenProducts: string[]
}

/** Reads both lists with product names and prices in rupees, for the audit log. */
async function readLists(tx: Transaction, userId: string): Promise<Lists> {
  const prices = await tx.rows(sql(OwnPrice)`
    select product.name as product, price.duration, custom.paise as price
      from custom_prices custom
      join prices price on price.id = custom.price_id
      join products product on product.id = price.product_id
     where custom.user_id = ${userId}
     order by product.name, price.duration`)
  const hiddenProducts = await tx.texts(sql`
    select product.name
      from hidden_products hidden join products product on product.id = hidden.product_id
     where hidden.user_id = ${userId}
     order by product.name`)
  return {
    customPrices: Object.fromEntries(prices.map((own) => [`${own.product}, ${own.duration}`, own.price])),
    hiddenProducts,
  }
}
