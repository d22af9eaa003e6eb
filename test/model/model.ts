/**
 * The store as a plain in-memory model: what each command does to a world, and which answer it must have given.
 *
 * The model follows an answer where the store has a choice (an id, which of several equal keys was sold) and
 * then holds it to that. It shares no code with the server.
 */
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import type { Sent } from './commands.ts'
import { balanceOf, settled, type Order, type Person, type World } from './world.ts'

const SESSION_IDLE_MS = 7 * DAY_MS
const SESSION_LONGEST_MS = 30 * DAY_MS
const SESSION_KEPT_EVERY_MS = 60_000
const RESET_AFTER_MS = 24 * HOUR_MS
const PENDING_MAX = 5

/**
 * Does one command to the world, in place.
 * @returns whether the answer is the one that the command gets at this point; if not, the world is spoilt
 */
export function explains(world: World, sent: Sent): boolean {
  const { command } = sent
  switch (command.type) {
    case 'register':
      return register(world, sent)
    case 'addMoney':
      return addMoney(world, sent, command)
    case 'approve':
    case 'reject':
      return decide(world, sent, command.type)
    case 'removePayment':
      return removePayment(world, sent)
    case 'buy':
      return buy(world, sent, command)
    case 'adjust':
      return adjust(world, sent, command)
    case 'ownPrice':
      return ownPrice(world, sent, command)
    case 'hide':
      return hide(world, sent, command)
    case 'listPrice':
      return listPrice(world, sent, command)
    case 'redeem':
      return redeem(world, sent)
    case 'plan':
      return changePlan(world, sent, command)
    case 'addKeys':
      return addKeys(world, sent)
    case 'removeKey':
      return removeKey(world, sent)
    case 'removeAll':
      return removeAll(world, sent)
    case 'login':
      return logIn(world, sent)
    case 'logout':
      return logOut(world, sent)
    case 'reset':
      return reset(world, sent)
    case 'look':
      return look(world, sent)
    case 'history':
      return history(world, sent)
    case 'stock':
      break
  }
  return stock(world, sent)
}

type Of<T extends Sent['command']['type']> = Extract<Sent['command'], { type: T }>

function refused({ answer }: Sent, status: number, code: string, details: Record<string, unknown> = {}): boolean {
  return (
    answer.status === status &&
    answer.body.code === code &&
    Object.entries(details).every(([name, value]) => answer.body[name] === value)
  )
}

const rupees = (amount: number): number => amount / 100

function personOf(world: World, name: string): Person {
  const person = world.users.get(name)
  if (!person) throw new Error(`The model knows no ${name}`)
  return settled(person, world.now)
}

// ── Sessions ─────────────────────────────────────────────────────────────────────────────────────────────

/** Why the session that came along is not taken; undefined when it is, and then it has been used. */
function refusalOf(world: World, { token, device }: Sent, isUse: boolean): string | undefined {
  const session = token === undefined ? undefined : world.sessions.get(token)
  if (token === undefined || !session || session.endReason === 'logout') return 'NO_SESSION'
  const holder = world.users.get(session.username)?.device ?? null
  if (session.endReason !== null)
    return holder !== null && holder !== session.device ? 'DEVICE_MISMATCH' : 'SESSION_EXPIRED'
  const { now } = world
  if (now - session.lastActiveAt >= SESSION_IDLE_MS || now - session.createdAt >= SESSION_LONGEST_MS)
    return 'NO_SESSION'
  if (session.device !== device) return 'DEVICE_MISMATCH'
  if (isUse && now - session.lastActiveAt >= SESSION_KEPT_EVERY_MS)
    world.sessions.set(token, { ...session, lastActiveAt: now })
  return undefined
}

function endSessions(world: World, name: string, endReason: string): void {
  for (const [token, session] of world.sessions)
    if (session.username === name && session.endReason === null) world.sessions.set(token, { ...session, endReason })
}

function logIn(world: World, sent: Sent): boolean {
  const { username, device, answer } = sent
  const person = personOf(world, username)
  if (person.device !== null && person.device !== device) return refused(sent, 403, 'DEVICE_ALREADY_LOGGED_IN')
  if (answer.status !== 200 || answer.token === undefined || device === undefined) return false
  endSessions(world, username, 'replaced')
  // A session that no cookie can open any more is forgotten
  for (const [token, session] of world.sessions)
    if (session.username === username && session.createdAt < world.now - SESSION_LONGEST_MS)
      world.sessions.delete(token)
  world.sessions.set(answer.token, {
    username,
    device,
    createdAt: world.now,
    lastActiveAt: world.now,
    endReason: null,
  })
  if (person.device === null) world.users.set(username, { ...person, device, lockedAt: world.now })
  return true
}

function logOut(world: World, sent: Sent): boolean {
  const { token, answer } = sent
  const session = token === undefined ? undefined : world.sessions.get(token)
  if (token !== undefined && session && refusalOf(world, sent, false) === undefined) {
    world.sessions.set(token, { ...session, endReason: 'logout' })
    world.users.set(session.username, { ...personOf(world, session.username), device: null, lockedAt: null })
  }
  return answer.status === 200
}

function reset(world: World, sent: Sent): boolean {
  const { username, answer } = sent
  const person = personOf(world, username)
  if (person.lockedAt === null) return refused(sent, 400, 'NO_DEVICE_LOCK')
  if (world.now < person.lockedAt + RESET_AFTER_MS) return refused(sent, 400, 'RESET_COOLDOWN')
  endSessions(world, username, 'reset')
  world.users.set(username, { ...person, device: null, lockedAt: null })
  return answer.status === 200
}

// ── Users and credit ─────────────────────────────────────────────────────────────────────────────────────

function register(world: World, sent: Sent): boolean {
  const { code, newName: name } = sent
  const referral = world.referrals.get(code)
  if (!referral || (referral.maxUsage !== null && referral.uses >= referral.maxUsage))
    return refused(sent, 400, 'INVALID_REFERRAL')
  if (world.users.has(name)) return refused(sent, 409, 'ACCOUNT_TAKEN')
  world.referrals.set(code, { ...referral, uses: referral.uses + 1 })
  world.users.set(name, {
    credit: new Map(referral.reward > 0 ? [[Infinity, referral.reward]] : []),
    returns: [],
    ownPrices: new Map(),
    hidden: [],
    device: null,
    lockedAt: null,
  })
  return sent.answer.status === 201
}

function credited(person: Person, amount: number, expiry: number): Person {
  const credit = new Map(person.credit)
  credit.set(expiry, (credit.get(expiry) ?? 0) + amount)
  return { ...person, credit }
}

/** Takes credit that expires soonest first. The person must have it. */
function debited(person: Person, amount: number, returnsAt: number | null): Person {
  const credit = new Map(person.credit)
  const returns = [...person.returns]
  let left = amount
  for (const [expiry, there] of [...credit].sort(([a], [b]) => a - b)) {
    const share = Math.min(there, left)
    if (share === 0) break
    left -= share
    if (share === there) credit.delete(expiry)
    else credit.set(expiry, there - share)
    if (returnsAt !== null && returnsAt < expiry) returns.push({ at: returnsAt, expiry, amount: share })
  }
  return { ...person, credit, returns }
}

function adjust(world: World, sent: Sent, { amount, days }: Of<'adjust'>): boolean {
  const { username, answer } = sent
  const person = personOf(world, username)
  const left = balanceOf(person) + amount
  if (left < 0) return refused(sent, 409, 'INSUFFICIENT_BALANCE', { shortfall: rupees(-left) })
  const ends = days === null ? null : world.now + (days ?? 60) * DAY_MS
  world.users.set(username, amount > 0 ? credited(person, amount, ends ?? Infinity) : debited(person, -amount, ends))
  return answer.status === 200
}

function ownPrice(world: World, sent: Sent, { amount }: Of<'ownPrice'>): boolean {
  const person = personOf(world, sent.username)
  const ownPrices = new Map(amount === null ? [] : [[sent.priceId, amount]])
  world.users.set(sent.username, { ...person, ownPrices })
  return sent.answer.status === 200
}

function hide(world: World, sent: Sent, { isHidden }: Of<'hide'>): boolean {
  const person = personOf(world, sent.username)
  const productId = world.prices.get(sent.priceId)?.productId
  world.users.set(sent.username, { ...person, hidden: isHidden && productId !== undefined ? [productId] : [] })
  return sent.answer.status === 200
}

/** The balance of a page, and the lots that add up to it. */
function look(world: World, sent: Sent): boolean {
  const refusal = refusalOf(world, sent, false)
  if (refusal !== undefined) return refused(sent, 401, refusal)
  const { status, body } = sent.answer
  // In this order of the round the session stands, so an answer without a wallet rules the order out
  if (status !== 200) return false
  const lots = (body.wallet as { amount: number }[]).reduce((sum, lot) => sum + Math.round(lot.amount * 100), 0)
  const balance = balanceOf(personOf(world, sent.username))
  return body.balance === rupees(balance) && lots === balance
}

function history(world: World, sent: Sent): boolean {
  const refusal = refusalOf(world, sent, false)
  if (refusal !== undefined) return refused(sent, 401, refusal)
  if (sent.answer.status !== 200) return false
  const lines = sent.answer.body as unknown as { delta: number; balanceAfter: number }[]
  const sum = lines.reduce((total, line) => total + Math.round(line.delta * 100), 0)
  const balance = balanceOf(personOf(world, sent.username))
  return sum === balance && (lines[0]?.balanceAfter ?? 0) === rupees(balance)
}

/** All the same, a second call by the same person gets the first one's answer. */
function redeem(world: World, sent: Sent): boolean {
  const { username, voucher, answer } = sent
  const refusal = refusalOf(world, sent, true)
  if (refusal !== undefined) return refused(sent, 401, refusal)
  const person = personOf(world, username)
  const found = world.vouchers.get(voucher)
  if (!found) return refused(sent, 404, 'CODE_INVALID')
  let { expiry } = found
  if (found.username === null) {
    if (world.now >= found.until) return refused(sent, 404, 'CODE_INVALID')
    const others = [...world.vouchers.values()].filter(({ batchId }) => batchId === found.batchId)
    if (found.isGift && others.some((other) => other.username === username)) return refused(sent, 409, 'ONE_EACH')
    expiry = world.now + found.days * DAY_MS
    world.vouchers.set(voucher, { ...found, username, expiry })
    world.users.set(username, credited(person, found.amount, expiry))
  } else if (found.username !== username) return refused(sent, 409, 'CODE_USED')
  const { status, body } = answer
  return (
    status === 200 &&
    body.amount === rupees(found.amount) &&
    body.expiresAt === new Date(expiry).toISOString() &&
    body.balance === rupees(balanceOf(personOf(world, username)))
  )
}

// ── Top-ups ──────────────────────────────────────────────────────────────────────────────────────────────

function addMoney(world: World, sent: Sent, { amount }: Of<'addMoney'>): boolean {
  const { username, planId, utr, answer } = sent
  const refusal = refusalOf(world, sent, true)
  if (refusal !== undefined) return refused(sent, 401, refusal)
  const plan = planId === undefined ? undefined : world.plans.get(planId)
  if (planId !== undefined && !plan?.isActive) return refused(sent, 404, 'PLAN_NOT_FOUND')
  const payments = [...world.payments.values()]
  if (payments.some((payment) => payment.utr === utr && payment.status !== 'rejected'))
    return refused(sent, 409, 'UTR_ALREADY_USED')
  const waiting = payments.filter((each) => each.username === username && each.status === 'pending' && !each.hidden)
  if (waiting.length >= PENDING_MAX) return refused(sent, 409, 'TOO_MANY_PENDING')
  const terms = plan ?? { amount, credit: amount }
  const filed = answer.body.payment as { _id: string; amount: number; credited: number; utr: string } | undefined
  if (answer.status !== 201 || !filed) return false
  world.payments.set(filed._id, {
    username,
    amount: terms.amount,
    credit: terms.credit,
    utr,
    status: 'pending',
    hidden: false,
  })
  return filed.amount === rupees(terms.amount) && filed.credited === rupees(terms.credit) && filed.utr === utr
}

function decide(world: World, sent: Sent, what: 'approve' | 'reject'): boolean {
  const { answer, paymentId } = sent
  const payment = world.payments.get(paymentId)
  if (!payment || payment.hidden) return refused(sent, 404, 'NOT_FOUND')
  if (payment.status !== 'pending') return refused(sent, 409, 'NOT_PENDING')
  const status = what === 'approve' ? 'approved' : 'rejected'
  world.payments.set(paymentId, { ...payment, status })
  if (what === 'approve') {
    const expiry = world.validityDays === null ? Infinity : world.now + world.validityDays * DAY_MS
    world.users.set(payment.username, credited(personOf(world, payment.username), payment.credit, expiry))
  }
  return answer.status === 200 && answer.body.status === status
}

function removePayment(world: World, sent: Sent): boolean {
  const payment = world.payments.get(sent.paymentId)
  if (!payment || payment.hidden) return refused(sent, 404, 'NOT_FOUND')
  world.payments.set(sent.paymentId, { ...payment, hidden: true })
  return sent.answer.status === 200
}

function changePlan(world: World, sent: Sent, { isActive, credit }: Of<'plan'>): boolean {
  const plan = world.plans.get(sent.planId ?? '')
  if (!plan) return false
  world.plans.set(sent.planId ?? '', { ...plan, isActive, credit })
  return sent.answer.status === 200 && sent.answer.body.bonus === rupees(credit)
}

// ── Stock and purchases ──────────────────────────────────────────────────────────────────────────────────

function listPrice(world: World, sent: Sent, { amount, most }: Of<'listPrice'>): boolean {
  const price = world.prices.get(sent.priceId)
  if (!price) return false
  world.prices.set(sent.priceId, { ...price, amount, perBuyer: most === undefined ? price.perBuyer : most })
  return sent.answer.status === 200
}

function unsold(world: World, priceId: string): string[] {
  return [...world.keys].flatMap(([text, key]) => (key.priceId === priceId && key.orderId === null ? [text] : []))
}

function addKeys(world: World, sent: Sent): boolean {
  const { texts, priceId } = sent
  const added = new Set(texts.filter((text) => !world.keys.has(text)))
  for (const text of added) world.keys.set(text, { id: undefined, priceId, orderId: null })
  const duplicates = texts.length - added.size
  if (duplicates > 0) return refused(sent, 400, 'DUPLICATE_KEYS', { added: added.size, duplicates })
  return sent.answer.status === 200 && sent.answer.body.added === added.size
}

function removeKey(world: World, sent: Sent): boolean {
  const [text, key] = [...world.keys].find(([, { id }]) => id === sent.keyId) ?? []
  if (text === undefined || !key) return refused(sent, 404, 'NOT_FOUND')
  if (key.orderId !== null) return refused(sent, 409, 'KEY_SOLD')
  world.keys.delete(text)
  return sent.answer.status === 200
}

function removeAll(world: World, sent: Sent): boolean {
  const texts = unsold(world, sent.priceId)
  for (const text of texts) world.keys.delete(text)
  return sent.answer.status === 200 && sent.answer.body.deletedCount === texts.length
}

function stock(world: World, sent: Sent): boolean {
  const { status, body } = sent.answer
  return (
    status === 200 &&
    [...world.prices].every(([id, { productId, duration, amount }]) => {
      const shown = body[`${productId}_${duration}`] as { available: number } | undefined
      // At a price of zero it is not for sale
      return shown?.available === (amount === 0 ? 0 : unsold(world, id).length)
    })
  )
}

interface Receipt {
  keys: { _id: string; key: string }[]
  order: { _id: string; amount: number; unitPrice: number; quantity: number; balanceAfter: number }
}

function buy(world: World, sent: Sent, { quantity }: Of<'buy'>): boolean {
  const { username, priceId, idempotencyKey, answer } = sent
  const refusal = refusalOf(world, sent, true)
  if (refusal !== undefined) return refused(sent, 401, refusal)
  const price = world.prices.get(priceId)
  const person = personOf(world, username)
  if (!price) return false

  const earlier =
    idempotencyKey === null
      ? undefined
      : [...world.orders].find(([, order]) => order.username === username && order.idempotencyKey === idempotencyKey)
  if (earlier) {
    const [id, order] = earlier
    const isSame =
      order.productId === price.productId && order.duration === price.duration && order.quantity === quantity
    return isSame ? isReceiptOf(world, sent, id, order) : refused(sent, 422, 'IDEMPOTENCY_KEY_REUSED')
  }
  if (person.hidden.includes(price.productId)) return refused(sent, 404, 'PRODUCT_NOT_FOUND')
  const unitPrice = person.ownPrices.get(priceId) ?? price.amount
  if (unitPrice === 0) return refused(sent, 409, 'INVALID_PRICE')
  const bought = [...world.orders.values()]
    .filter((order) => order.username === username && order.productId === price.productId)
    .filter((order) => order.duration === price.duration)
    .reduce((sum, order) => sum + order.quantity, 0)
  if (price.perBuyer !== null && bought + quantity > price.perBuyer)
    return refused(sent, 409, 'LIMIT_REACHED', { limit: price.perBuyer, bought })
  const available = unsold(world, priceId).length
  if (available < quantity) return refused(sent, 409, 'OUT_OF_STOCK', { available })
  const amount = unitPrice * quantity
  const balanceAfter = balanceOf(person) - amount
  if (balanceAfter < 0) return refused(sent, 409, 'INSUFFICIENT_BALANCE', { shortfall: rupees(-balanceAfter) })

  if (answer.status !== 200) return false
  const { keys, order: placed } = answer.body as unknown as Receipt
  for (const { _id, key: text } of keys) {
    const key = world.keys.get(text)
    if (!key || key.priceId !== priceId || key.orderId !== null || (key.id !== undefined && key.id !== _id))
      return false
    world.keys.set(text, { ...key, orderId: placed._id })
  }
  const order = {
    username,
    idempotencyKey,
    productId: price.productId,
    duration: price.duration,
    quantity,
    amount,
    balanceAfter,
  }
  world.orders.set(placed._id, order)
  world.users.set(username, debited(person, amount, null))
  return placed.unitPrice === rupees(unitPrice) && isReceiptOf(world, sent, placed._id, order)
}

function isReceiptOf(world: World, { answer }: Sent, id: string, order: Order): boolean {
  if (answer.status !== 200) return false
  const { keys, order: placed } = answer.body as unknown as Receipt
  return (
    placed._id === id &&
    placed.quantity === order.quantity &&
    placed.amount === rupees(order.amount) &&
    placed.balanceAfter === rupees(order.balanceAfter) &&
    keys.length === order.quantity &&
    new Set(keys.map(({ key }) => key)).size === keys.length &&
    keys.every(({ key }) => world.keys.get(key)?.orderId === id)
  )
}
