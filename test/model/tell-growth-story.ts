/**
 * Tells one story of renewals and invitations. After each round every invariant holds, and what was bought, ended and
 * paid is what the answers and the rules allow (growth-rules.ts). Where a job was alone, it did all that it must.
 */
import { sql } from '../../server/platform/database/database.ts'
import { newId, newToken } from '../../server/platform/ids.ts'
import { statementOf } from '../worlds/bank.ts'
import { givenCredit } from '../worlds/given.ts'
import { openBank, type OpenBank } from './bank-world.ts'
import { USERS, type Answer, type Request } from './commands.ts'
import { FRIENDS, type GrowthCommand, type GrowthStory } from './growth-commands.ts'
import { faultsOfInvites } from './growth-invite-rules.ts'
import { faultsOfRenewals } from './growth-renewal-rules.ts'
import { readGrowthWorld, type GrowthSent, type GrowthWorld } from './growth-world.ts'
import { logInAll } from './tell-claim-story.ts'
import { PASSWORD, type Cookies, type TwoNodes } from './two-nodes.ts'
import type { Told } from './tell-story.ts'

const BUSY = 503
/** What the store does more about after its answer. */
const ANSWERED_FIRST: ReadonlySet<GrowthCommand['type']> = new Set(['statement', 'approve', 'takeBack'])
const PRICE = 3_333
const DURATION = '3 Days'
const usernames = Array.from({ length: USERS }, (_, user) => `buyer-${user}`)
const PAYER_NAMES = ['ASHA RAO', 'VIKRAM SHAH', 'MEENA IYER', 'RAVI KUMAR']
const OWN_PAYER = { payer: 'DIVYA NAIR', vpa: 'DIVYA@OKAXIS' }

interface Transfer {
  utr: string
  amount: number
  day: string
  payer: string
  vpa: string
}

interface Scene {
  store: TwoNodes
  bank: OpenBank
  productId: string
  priceId: string
  /** Of the first buyer. */
  code: string
  /** Buyers, then friends, who have an id when they have joined. */
  userIds: (string | undefined)[]
  jars: Cookies[]
  world: GrowthWorld
  /** What no statement has shown yet. */
  unseen: Transfer[]
  counts: { keys: number; transfers: number; statements: number }
}

/** @throws Error that says which round cannot be, and why */
export async function tellGrowthStory(store: TwoNodes, { growthRounds }: GrowthStory): Promise<Told> {
  const scene = await open(store)
  const told: Told = { operations: 0, rounds: 0, busyRounds: 0 }
  for (const [index, round] of growthRounds.entries()) {
    if (round.advanceMs > 0) await store.advance(round.advanceMs)
    const sents = await Promise.all(round.commands.map((command, nth) => act(scene, command, nth)))
    told.operations += sents.length
    told.rounds += 1
    // Invitations are paid after the answer of what shows the money
    if (sents.some(({ command }) => ANSWERED_FIRST.has(command.type))) await store.settled()
    if (sents.some(({ answer }) => answer.status === BUSY)) {
      told.busyRounds += 1
      return told
    }
    const before = scene.world
    const after = await readGrowthWorld(store.db)
    scene.world = after
    const seen = { before, after, sents, now: store.now().getTime() }
    const faults = [
      ...sents.filter(({ answer }) => answer.status >= 500).map(() => 'An answer is a 5xx'),
      ...(await store.broken()),
      ...faultsOfRenewals(seen),
      ...faultsOfInvites(seen),
    ]
    if (faults.length > 0) throw new Error(report(index, round.advanceMs, seen, faults))
  }
  return told
}

async function open(store: TwoNodes): Promise<Scene> {
  const places = [{ productName: 'Game that grows', duration: DURATION, amount: PRICE }]
  const seeded = await store.seed({ usernames, places, plans: [], referrals: [], vouchers: [], validityDays: null })
  const [productId = '', priceId = ''] = [seeded.productIds[0], seeded.priceIds[0]]
  const bank = await openBank(store.db, store.now())
  await store.db.run(sql`insert into channels (name, is_on) values ('email', true)`)
  await store.db.run(sql`insert into invite_settings (is_on) values (true)`)
  await store.db.run(sql`update users set email_proven_at = ${store.now()}`)
  const [first = ''] = seeded.userIds
  const scene: Scene = {
    store,
    bank,
    productId,
    priceId,
    code: (await store.db.text(sql`select invite_code from users where id = ${first}`)) ?? '',
    userIds: [...seeded.userIds, ...Array.from({ length: FRIENDS }, () => undefined)],
    jars: [...(await logInAll(store, usernames)), ...Array.from({ length: FRIENDS }, () => ({}))],
    world: await readGrowthWorld(store.db),
    unseen: [],
    counts: { keys: 0, transfers: 0, statements: 0 },
  }
  await act(scene, { type: 'addKeys', count: 12 }, 0)
  for (const id of seeded.userIds) await givenCredit(store.db, id, { rupees: 1_000, now: store.now() })
  // Who invites has paid
  await ask(scene, { user: 0, amount: 20_000, ...OWN_PAYER }, 0)
  scene.world = await readGrowthWorld(store.db)
  await act(scene, { type: 'approve', payment: 0 }, 0)
  await act(scene, { type: 'statement', most: 1 }, 0)
  await Promise.all(usernames.map((_, user) => act(scene, { type: 'buy', user, quantity: 1 }, user)))
  scene.world = await readGrowthWorld(store.db)
  return scene
}

async function act(scene: Scene, command: GrowthCommand, nth: number): Promise<GrowthSent> {
  const { store, world, userIds } = scene
  const sent = (answer: Pick<Answer, 'status' | 'body'>, about = ''): GrowthSent => ({ command, about, answer })
  const done = { status: 200, body: {} }
  const send = async (request: Request, user?: number, about = '', headers = {}) => {
    const { status, body } = await store.send(nth, request, user === undefined ? {} : (scene.jars[user] ?? {}), headers)
    return sent({ status, body }, about)
  }
  const admin = (method: 'POST' | 'PUT', path: string, body: Record<string, unknown>, about = '') =>
    send({ method, path, body, by: 'admin' }, undefined, about)
  const product = { productId: scene.productId, duration: DURATION }
  switch (command.type) {
    case 'buy': {
      const body = { ...product, quantity: command.quantity }
      const headers = { 'idempotency-key': newId() }
      return send({ method: 'POST', path: '/keys/buy', body, by: 'user' }, command.user, '', headers)
    }
    case 'renew': {
      const own = world.keys.filter(({ userId }) => userId === userIds[command.user])
      const key = own[command.key % Math.max(1, own.length)]
      const max = command.max === null ? {} : { max: command.max / 100 }
      const body = { keyId: key?.id ?? newId(), repeat: command.repeat, ...max }
      return send({ method: 'POST', path: '/renewals', body, by: 'user' }, command.user, key?.orderId)
    }
    case 'stop': {
      const own = world.renewals.filter(({ userId, reason }) => userId === userIds[command.user] && reason === null)
      const about = own[command.renewal % Math.max(1, own.length)]?.orderId ?? newId()
      return send({ method: 'DELETE', path: `/renewals/${about}`, by: 'user' }, command.user, about)
    }
    case 'due':
    case 'pay':
      await (command.type === 'due' ? store.renewDue(nth) : store.payInvites(nth))
      return sent(done)
    case 'price': {
      const steps = command.step === null ? [] : [{ from: 2, price: command.step / 100 }]
      const prices = [{ _id: scene.priceId, duration: DURATION, price: command.amount / 100, steps }]
      return admin('PUT', `/products/${scene.productId}`, { prices })
    }
    case 'addKeys': {
      const keys = Array.from({ length: command.count }, () => `GROWTH-KEY-${(scene.counts.keys += 1)}`)
      return admin('POST', '/keys/bulk', { ...product, keys })
    }
    case 'adjust': {
      const body = { balance: command.amount / 100, expiresInDays: null }
      return admin('PUT', `/admin/users/${userIds[command.user]}/custom-prices`, body)
    }
    case 'join':
      return sent(await join(scene, command, nth))
    case 'ask': {
      const payer = PAYER_NAMES[command.payer] ?? ''
      const user = USERS + command.friend
      return sent(await ask(scene, { user, amount: command.amount, payer, vpa: `${payer[0]}@OKSBI` }, nth))
    }
    case 'statement':
      return sent(await showStatement(scene, command.most, nth))
    case 'approve':
    case 'takeBack':
      break
  }
  const about = world.payments[command.payment]?.id ?? newId()
  return command.type === 'approve'
    ? admin('PUT', `/payments/${about}/approve`, {}, about)
    : admin('POST', `/payments/${about}/take-back`, { reason: 'Of another' }, about)
}

/** Signs up, and logs in in the same browser: an own one, or the first buyer's. */
async function join(
  { store, code, jars, userIds }: Scene,
  { friend, isSameBrowser }: Extract<GrowthCommand, { type: 'join' }>,
  nth: number,
): Promise<GrowthSent['answer']> {
  const username = `friend-${friend}`
  const device = isSameBrowser ? jars[0]?.device : newToken()
  const form = { email: `${username}@example.in`, username, password: PASSWORD, referralCode: code }
  const { status, body } = await store.send(
    nth,
    { method: 'POST', path: '/auth/register', body: form, by: 'user' },
    { device },
  )
  if (status !== 201) return { status, body }
  const { session } = await store.send(
    nth,
    { method: 'POST', path: '/auth/login', body: { username, password: PASSWORD }, by: 'user' },
    { device },
  )
  jars[USERS + friend] = { device, session }
  userIds[USERS + friend] = await store.db.text(sql`select id from users where username = ${username}`)
  return { status, body }
}

async function ask(
  scene: Scene,
  { user, amount, payer, vpa }: { user: number; amount: number; payer: string; vpa: string },
  nth: number,
): Promise<GrowthSent['answer']> {
  const utr = String(412_345_000_000 + (scene.counts.transfers += 1))
  const body = { amount: amount / 100, utr, payerName: `987654321${user}` }
  const request: Request = { method: 'POST', path: '/payments/add-money', body, by: 'user' }
  const answer = await scene.store.send(nth, request, scene.jars[user] ?? {})
  if (answer.status === 201) scene.unseen.push({ utr, amount, payer, vpa, day: indianDay(scene.store.now()) })
  return answer
}

const indianDay = (now: Date): string => new Date(now.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10)

/** Each statement begins with a balance of its own, so that none is the same file as another. */
async function showStatement(scene: Scene, most: number, nth: number): Promise<GrowthSent['answer']> {
  const { store, bank, unseen, counts } = scene
  const rows = unseen.splice(0, most)
  const [first] = rows
  if (!first) return { status: 200, body: {} }
  const text = statementOf(
    rows.map(({ utr, amount, ...each }) => ({ ...each, refs: [utr], amount: amount / 100 })),
    { from: first.day, to: indianDay(store.now()), opening: 100_000 + (counts.statements += 1) },
  )
  const body = { text, accountId: bank.accountId }
  return store.send(nth, { method: 'POST', path: '/bank/statements', body, by: 'admin' }, {})
}

function report(
  index: number,
  advanceMs: number,
  { before, after, sents }: { before: GrowthWorld; after: GrowthWorld; sents: readonly GrowthSent[] },
  faults: readonly string[],
): string {
  return [
    `Growth round ${index + 1} (the clock moved by ${advanceMs} ms) cannot be:`,
    ...sents.map(({ command, about, answer }) => {
      return `  ${JSON.stringify(command)} of ${about} → ${answer.status} ${JSON.stringify(answer.body)}`
    }),
    'What is wrong:',
    ...faults.map((fault) => `  ${fault}`),
    `Before the round: ${JSON.stringify(before)}`,
    `After the round: ${JSON.stringify(after)}`,
  ].join('\n')
}
