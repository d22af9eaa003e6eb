/**
 * Ninety days of buyers whose keys renew, once or again and again, while they stop, buy by hand, spend their money, can
 * no longer be reached, close their accounts and come back, and while the owner changes prices, runs out of stock and
 * takes the product off sale. The nodes are killed every twenty seconds, in the middle of what is due.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { sql } from '../../server/platform/database/database.ts'
import { findBroken } from '../../server/platform/database/invariants.ts'
import { startEngine } from '../../test/engine.ts'
import { givenCredit } from '../../test/worlds/given.ts'
import { seededDice } from '../dice.ts'
import { judge, noteTold, type Judged, type Notes } from './judge.ts'
import { comeBack, DURATIONS, FIRST_PRICES, openShop, OTHER_PRICE, PASSWORD, type Person, type Shop } from './shop.ts'

const STEP_MS = 3 * HOUR_MS
const STEPS_A_DAY = DAY_MS / STEP_MS
const DAYS = 90
const KILL_EVERY_MS = 20_000
/** On a machine that plays the days more quickly. */
const KILL_EVERY_STEPS = 8 * STEPS_A_DAY
/** A job whose node was killed has its next turn a minute later. */
const TURN_LOST_MS = 1_000
const AT_ONCE = 12
const SEED = 20_261_202

interface Life {
  shop: Shop
  notes: Notes
  dice: (sides: number) => number
  /** Those who close their account, and when they may come back. */
  closed: Map<string, number>
}

export interface Played extends Judged {
  kills: number
  days: number
}

export async function playNinetyDays(
  directories: string[],
  { buyers, days = DAYS, say }: { buyers: number; days?: number; say(line: string): void },
): Promise<Played> {
  const engine = await startEngine()
  try {
    const shop = await openShop(engine, directories, buyers)
    const life: Life = {
      shop,
      notes: { stops: [], caps: new Map(), told: new Map() },
      dice: seededDice(SEED),
      closed: new Map(),
    }
    const steps = (days * DAY_MS) / STEP_MS
    let [kills, killedAt] = [0, performance.now()]
    const broken: string[] = []
    for (let step = 0; step < steps; step++) {
      const isKilled = performance.now() - killedAt > KILL_EVERY_MS || step % KILL_EVERY_STEPS === KILL_EVERY_STEPS - 1
      await playStep(life, step, isKilled)
      if (isKilled) [kills, killedAt] = [kills + 1, performance.now()]
      if (step % STEPS_A_DAY === STEPS_A_DAY - 1) await noteTold(shop.db, life.notes)
      if (step % (10 * STEPS_A_DAY) !== 10 * STEPS_A_DAY - 1 && step !== steps - 1) continue
      const found = await findBroken(shop.db, path.resolve(import.meta.dirname, '../../server/migrations'))
      broken.push(...found.map(({ invariant }) => invariant))
      say(`day ${Math.ceil((step + 1) / STEPS_A_DAY)}: ${kills} kills, ${broken.length} broken rules`)
    }
    const judged = await judge(shop.db, life.notes, shop.now())
    await shop.stop()
    return { ...judged, wrong: [...judged.wrong, ...broken], kills, days }
  } finally {
    await engine.stop()
  }
}

/** Three hours pass. What is due then is bought while people act. */
async function playStep(life: Life, step: number, isKilled: boolean): Promise<void> {
  const { shop, dice } = life
  shop.pass(STEP_MS)
  const began = shop.now()
  await shop.db.run(
    sql`update admin_sessions set created_at = ${began}, last_active_at = ${began}, proven_at = ${began}`,
  )
  const due = await shop.db.texts(sql`select user_id from renewals where ended_at is null and due_at <= ${began}`)
  const acting = shop.people.filter(({ id }) => dice(due.includes(id) ? 4 : 9) === 0)
  const killing = isKilled ? sleep(dice(80)).then(() => shop.kill()) : undefined
  const owner = ownerActs(life, step)
  for (let at = 0; at < acting.length; at += AT_ONCE)
    await Promise.all(acting.slice(at, at + AT_ONCE).map((person) => act(life, person)))
  await Promise.all([killing, owner])
  for (let since = performance.now(); !(await hasRun(shop, began)); await sleep(10)) {
    if (performance.now() - since < TURN_LOST_MS) continue
    shop.pass(MINUTE_MS)
    since = performance.now()
  }
}

const hasRun = ({ db }: Shop, began: Date): Promise<boolean> =>
  db.holds(sql`select exists (select from jobs where name = 'renew' and started_at >= ${began}
                                 and finished_at >= started_at)`)

async function ownerActs({ shop, dice }: Life, step: number): Promise<void> {
  const { ask, productId, db } = shop
  const day = Math.floor(step / STEPS_A_DAY)
  // In the morning of some days
  if (step % STEPS_A_DAY !== 3) return
  const prices = async () => {
    const rows = await db.rows(sql(() => z.object({ id: z.string(), duration: z.string() }))`
      select id, duration from prices where product_id = ${productId}`)
    return rows.map(({ id, duration }) => {
      const first = FIRST_PRICES[DURATIONS.indexOf(duration)] ?? 0
      return { _id: id, duration, price: Math.round(first * ([1, 1, 1.2, 0.9, 1.4][dice(5)] ?? 1)) }
    })
  }
  if (day % 3 === 2) sure(await ask('PUT', `/products/${productId}`, 'owner', { prices: await prices() }))
  if (day % 30 === 20) sure(await ask('PUT', `/products/${productId}`, 'owner', { isListed: false }))
  if (day % 30 === 21) sure(await ask('PUT', `/products/${productId}`, 'owner', { isListed: true }))
  for (const duration of DURATIONS) {
    const keys = Array.from({ length: 2 + dice(shop.people.length / 3) }, (_, n) => `KEY-${duration}-${step}-${n}`)
    const body = { productId, duration, keys }
    if (day % 15 < 11) sure(await ask('POST', '/keys/bulk', 'owner', body))
    // Now and then it is out for days
    if (day % 15 === 11) sure(await ask('DELETE', `/keys/bulk/${productId}/${encodeURIComponent(duration)}`, 'owner'))
  }
}

function sure({ status, body }: { status: number; body: object }): void {
  if (status >= 300) throw new Error(`The owner was answered ${status} ${JSON.stringify(body)}`)
}

const OwnKey = z.object({ keyId: z.string(), orderId: z.string() })

/** Does one thing that a buyer does. */
async function act(life: Life, person: Person): Promise<void> {
  const { shop, dice, closed } = life
  const { db, ask } = shop
  if (closed.has(person.id)) return keep(life, person)
  await comeBack(db, [person], shop.now())
  const own = await db.rows(sql(() => OwnKey)`
    select id as key_id, order_id from license_keys key
     where assigned_to = ${person.id} and expires_at > ${shop.now()}
       and exists (select from orders where orders.id = order_id and product_id = ${shop.productId})
     order by assigned_at desc`)
  const buy = () =>
    ask('POST', '/keys/buy', person, { productId: shop.productId, duration: person.duration, quantity: 1 + dice(2) })
  if (own.length === 0 && dice(3) > 0) return void (await buy())
  const what = dice(100)
  if (what < 58 && own.length > 0) return renew(life, person, own[0]?.keyId ?? '')
  if (what < 62) return stop(life, person)
  if (what < 65) return void (await buy())
  if (what < 69) return spend(life, person)
  if (what < 88) return givenCredit(db, person.id, { rupees: 500, now: shop.now() })
  if (what < 90) return close(life, person)
  // Nobody can tell him of anything any more, until he proves an address again
  if (what < 93) return void (await db.run(sql`update users set email_proven_at = null where id = ${person.id}`))
  if (what < 97) await db.run(sql`update users set email_proven_at = ${shop.now()} where id = ${person.id}`)
}

const priceNow = ({ db, productId }: Shop, { duration }: Person): Promise<number> =>
  db.count(sql`select list_paise / 100 from prices where product_id = ${productId} and duration = ${duration}`)

async function renew({ shop, notes, dice }: Life, person: Person, keyId: string): Promise<void> {
  const seen = await priceNow(shop, person)
  // Some allow less than the price, which may fall, and others more
  const share = [undefined, 0.8, 1, 1.2, 3][dice(5)]
  const max = share && Math.round(share * seen)
  const sentAt = shop.now()
  const orderId = await shop.db.text(sql`select order_id from license_keys where id = ${keyId}`)
  if (orderId === undefined) return
  const { status, body, again } = await shop.ask('POST', '/renewals', person, {
    keyId,
    repeat: dice(5) > 1,
    ...(max !== undefined && { max }),
  })
  if (status === 201 || again) for (const each of notes.stops) if (each.orderId === orderId) each.madeAgainAt ??= sentAt
  // What the buyer has said or seen, and not what the store answers
  if (status === 201) notes.caps.set(orderId, max === undefined ? [seen, await priceNow(shop, person)] : [max])
  // The first of two tries may have changed it
  else if (again) notes.caps.set(orderId, [...(notes.caps.get(orderId) ?? [Infinity]), max ?? Infinity])
  // The job that forgets sessions of a month ago may take one that comes back at that moment
  else if (![401, 404, 409].includes(status)) throw new Error(`Renewing was answered ${status} ${JSON.stringify(body)}`)
}

async function stop({ shop, notes }: Life, person: Person): Promise<void> {
  const orderId = await shop.db.text(sql`
    select order_id from renewals where user_id = ${person.id} and ended_at is null order by due_at limit 1`)
  if (orderId === undefined) return
  const { status } = await shop.ask('DELETE', `/renewals/${orderId}`, person)
  if (status === 200) notes.stops.push({ orderId })
}

async function spend({ shop }: Life, person: Person): Promise<void> {
  const rupees = await shop.db.count(sql`select balance_paise / 100 from wallets where user_id = ${person.id}`)
  const quantity = Math.min(10, Math.floor(rupees / OTHER_PRICE))
  for (let left = quantity > 0 ? 3 : 0; left > 0; left--)
    await shop.ask('POST', '/keys/buy', person, { productId: shop.otherId, duration: '1 Day', quantity })
}

/** The owner takes what is left, and the buyer closes the account. Most of them keep it after all. */
async function close({ shop, dice, closed }: Life, person: Person): Promise<void> {
  const { db, ask } = shop
  const balance = await db.count(sql`select balance_paise from wallets where user_id = ${person.id}`)
  if (balance > 0)
    await ask('PUT', `/admin/users/${person.id}/custom-prices`, 'owner', {
      balance: -balance / 100,
      expiresInDays: null,
    })
  const { status } = await ask('POST', '/auth/close-account', person, { password: PASSWORD })
  // Asked twice, it was closed before and the session is over
  if (status === 200 || status === 401) closed.set(person.id, shop.now().getTime() + (dice(5) > 0 ? 2 : 1_000) * DAY_MS)
}

async function keep({ shop, closed }: Life, { id, username }: Person): Promise<void> {
  if ((closed.get(id) ?? 0) > shop.now().getTime()) return
  await shop.ask('POST', '/auth/keep-account', 'nobody', { username, password: PASSWORD })
  closed.delete(id)
}
