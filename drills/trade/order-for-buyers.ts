/**
 * Buyers who order what is never on the shelf, and pay when it is here. Some press twice at one moment. While they
 * wait, some give up, spend their money elsewhere, or close their account.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../server/platform/ids.ts'
import { PRICE_PAISE, type DrillBuyer } from '../seed.ts'
import { send } from '../send.ts'
import { DURATION, ORDERING_PAISE, type Side, type TwoStores } from './two-stores.ts'

const QUANTITY_MAX = 3
/** Of a hundred orders so many are pressed twice, and of so many the buyer gives up, spends or closes. */
const TWICE_PERCENT = 20
const LEAVE_PERCENT = 20
const SPEND_PERCENT = 15
const CLOSE_PERCENT = 5
/** Within this time they do so. */
const MEANWHILE_MS = 8_000
/** The longest that one of them waits before pressing again. */
const PATIENCE_MS = 60_000
/** Of the sort that seed.ts gives. */
const PASSWORD = 'a drill buyer password'

export interface Ordering {
  /** By the id that was answered, who ordered. */
  readonly pressed: Map<string, string>
  /** Of these the store has said that they were given up. */
  readonly left: Set<string>
  /** Answers that cannot be. */
  readonly odd: string[]
}

interface Answer {
  status: number
  body: any // oxlint-disable-line typescript/no-explicit-any -- answers of every shape
}

/** A node may be dead or dying: then another one is asked, as a browser does. */
export async function askAgain(
  { nodes }: Side,
  { cookie }: DrillBuyer,
  call: string,
  { body, key }: { body?: object; key?: string } = {},
): Promise<Answer> {
  const [method = '', path = ''] = call.split(' ')
  for (;;) {
    const answer = await send({
      port: nodes[randomInt(nodes.length)]?.port ?? 0,
      method,
      path: `/api${path}`,
      cookie,
      ...(body && { body: JSON.stringify(body) }),
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    }).catch(() => undefined)
    if (answer && answer.status !== 503) return { status: answer.status, body: JSON.parse(answer.text) }
    await sleep(100)
  }
}

/** Presses the button. @param keys one for each press, all at one moment */
export function press(
  here: Side,
  buyer: DrillBuyer,
  { productId, quantity }: { productId: string; quantity: number },
  keys: readonly string[] = [newId()],
): Promise<Answer[]> {
  const autoMax = (quantity * PRICE_PAISE) / 100
  const body = { productId, duration: DURATION, quantity, autoMax, fetch: true }
  return Promise.all(keys.map((key) => askAgain(here, buyer, 'POST /waiting', { body, key })))
}

/** Orders again and again, by another of those who have time, until the signal. */
export async function orderForBuyers(
  { here, fetched, ordering }: TwoStores,
  signal: AbortSignal,
  atOnce: number,
): Promise<Ordering> {
  const known: Ordering = { pressed: new Map(), left: new Set(), odd: [] }
  const idle = [...ordering]
  const work = async () => {
    while (!signal.aborted) {
      const [buyer] = idle.splice(randomInt(Math.max(1, idle.length)), 1)
      const productId = fetched[randomInt(fetched.length)]?.productId
      if (buyer && productId !== undefined && (await orderOnce(here, { buyer, productId, known, signal })))
        idle.push(buyer)
      await sleep(randomInt(200, 600))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return known
}

interface Once {
  buyer: DrillBuyer
  productId: string
  known: Ordering
  signal: AbortSignal
}

/** @returns false when the buyer orders no more */
async function orderOnce(here: Side, { buyer, productId, known, signal }: Once): Promise<boolean> {
  const quantity = 1 + randomInt(QUANTITY_MAX)
  const key = newId()
  const keys = randomInt(100) >= TWICE_PERCENT ? [key] : [key, randomInt(2) === 0 ? key : newId()]
  const answers = await press(here, buyer, { productId, quantity }, keys)
  const ids = answers.flatMap(({ status, body }): string[] => (status === 201 ? [body._id] : []))
  for (const id of ids) known.pressed.set(id, buyer.id)
  if (new Set(keys).size < keys.length && new Set(ids).size > 1) known.odd.push('two orders under one key')
  const codes = answers.flatMap(({ status, body }): string[] => (status === 201 ? [] : [body.code ?? String(status)]))
  known.odd.push(...codes.filter((code) => !REFUSALS.includes(code)).map((code) => `pressed: ${code}`))
  const [id] = ids
  if (id === undefined) {
    // What came in vain lies on the shelf
    if (codes.includes('IN_STOCK')) await buy(here, buyer, productId, quantity)
    return !codes.includes('TOO_MANY_FETCHES') && !(codes.includes('INSUFFICIENT_BALANCE') && quantity === 1)
  }
  const dice = randomInt(100)
  if (dice < LEAVE_PERCENT) {
    await sleep(randomInt(MEANWHILE_MS))
    if ((await askAgain(here, buyer, `DELETE /waiting/${id}`)).status === 200) known.left.add(id)
  } else if (dice < LEAVE_PERCENT + CLOSE_PERCENT + SPEND_PERCENT) {
    await sleep(randomInt(MEANWHILE_MS))
    await spendAll(here, buyer)
    if (dice < LEAVE_PERCENT + CLOSE_PERCENT && (await close(here, buyer))) return false
  }
  await untilEnded(here, buyer, signal)
  return true
}
const REFUSALS = ['IN_STOCK', 'NOT_FETCHABLE', 'INSUFFICIENT_BALANCE', 'TOO_MANY_FETCHES', 'FETCH_OPEN']

const buy = (here: Side, buyer: DrillBuyer, productId: string, quantity: number) =>
  askAgain(here, buyer, 'POST /keys/buy', { body: { productId, duration: DURATION, quantity }, key: newId() })

/** Of what others have on their shelves, as long as there is some. */
async function spendAll(here: Side, buyer: DrillBuyer): Promise<void> {
  for (let quantity = ORDERING_PAISE / PRICE_PAISE; quantity > 0; quantity--)
    for (const { productId } of here.shops) if ((await buy(here, buyer, productId, quantity)).status === 200) return
}

/** @returns false while money is left, which refuses it */
async function close(here: Side, buyer: DrillBuyer): Promise<boolean> {
  const { body } = await askAgain(here, buyer, 'POST /auth/close-account', { body: { password: PASSWORD } })
  return body.code !== 'BALANCE_LEFT'
}

async function untilEnded(here: Side, buyer: DrillBuyer, signal: AbortSignal): Promise<void> {
  for (const since = performance.now(); performance.now() - since < PATIENCE_MS && !signal.aborted; await sleep(500)) {
    const { body } = await askAgain(here, buyer, 'GET /waiting/fetch')
    if (body.fetch?.state !== 'coming') return
  }
}
