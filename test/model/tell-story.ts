/**
 * Tells one story: its rounds one after another, the commands of a round at the same moment. After each round
 * every invariant holds, nothing that was acknowledged is missing, and the answers and what the database holds
 * are those of the model for some order of the round's commands.
 */
import { hashToken, newId, newToken } from '../../server/platform/ids.ts'
import {
  CODES,
  KEYS,
  PLACES,
  PLANS,
  requestOf,
  USERS,
  VOUCHERS,
  type Command,
  type Round,
  type Sent,
  type Story,
} from './commands.ts'
import { explains } from './model.ts'
import {
  fingerprintOf,
  PASSWORD,
  voucherHashOf,
  type Cookies,
  type Seeded,
  type ModelStore,
  type TwoNodes,
} from './two-nodes.ts'
import { copyOf, differenceOf, linesOf, type World } from './world.ts'

/** The most commands of a round that are tried in every order. Larger rounds are checked by the invariants alone. */
const ORDERED_MAX = 6
/** After so many rounds the keys, UTRs, names and codes are new ones: the old ones are used up. */
const PHASE_ROUNDS = 8
const PHASES = 8

const DURATIONS = ['1 Day', '5 Months']
const PRODUCTS = ['Game of one', 'Game of two']
const BUSY = 503

const usernames = Array.from({ length: USERS }, (_, user) => `buyer-${user}`)
const codeOf = (phase: number, code: number) => `CODE-${phase}-${code}`
const keyTextOf = (phase: number, key: number) => `KEY-${phase}-${key}`
const voucherOf = (phase: number, isGift: boolean, voucher: number) =>
  `${isGift ? 'GAFT' : 'SAJD'}${String(phase).padStart(11, '0')}${voucher}`
const vouchers = Array.from({ length: 2 * PHASES }, (_, at) => {
  const isGift = at % 2 === 0
  const codes = Array.from({ length: VOUCHERS }, (_, voucher) => voucherOf(Math.floor(at / 2), isGift, voucher))
  return { codes, isGift }
})
const textOf = new Map([
  ...Array.from({ length: PHASES }, (_, phase) =>
    Array.from({ length: KEYS }, (_, key) => keyTextOf(phase, key)).map((text) => [fingerprintOf(text), text] as const),
  ).flat(),
  ...vouchers.flatMap(({ codes }) => codes.map((code) => [voucherHashOf(code).toString('hex'), code] as const)),
])

export interface Told {
  operations: number
  rounds: number
  /** Rounds in which a node said that it was too busy: what they did is not known from the answers. */
  busyRounds: number
}

/** @throws Error that says which round cannot be, and why */
export async function tellStory(store: TwoNodes, story: Story): Promise<Told> {
  const seeded = await store.seed(startOf(story))
  const jars: Cookies[][] = usernames.map(() => [{ device: newToken() }, { device: newToken() }])
  const acknowledged: Sent[] = []
  const told: Told = { operations: 0, rounds: 0, busyRounds: 0 }
  const rounds = [...prologue(story), ...story.rounds]
  let world = await store.read(textOf)

  for (const [index, round] of rounds.entries()) {
    if (round.advanceMs > 0) world = { ...world, now: await store.advance(round.advanceMs) }
    const phase = Math.floor(index / PHASE_ROUNDS) % PHASES
    const sents = await play(store, round, { world, phase, seeded, jars })
    told.operations += sents.length
    told.rounds += 1
    acknowledged.push(...sents.filter(({ answer }) => answer.status < 300))

    const before = world
    const isBusy = sents.some(({ answer }) => answer.status === BUSY)
    if (isBusy) {
      told.busyRounds += 1
      await store.settled()
    }
    world = await store.read(textOf)
    const faults = [
      ...sents.filter(({ answer }) => answer.status >= 500 && answer.status !== BUSY).map(() => 'An answer is a 5xx'),
      ...(await store.broken()),
      ...missing(acknowledged, world),
      ...(isBusy || sents.length > ORDERED_MAX ? [] : unexplained(before, sents, world)),
    ]
    if (faults.length > 0) throw new Error(report(index, round, sents, before, faults))
  }
  return told
}

function startOf({ prices, validityDays }: Story): ModelStore {
  return {
    usernames,
    validityDays,
    vouchers,
    places: Array.from({ length: PLACES }, (_, place) => ({
      productName: PRODUCTS[place] ?? '',
      duration: DURATIONS[place] ?? '',
      amount: prices[place] ?? 1_010,
    })),
    plans: Array.from({ length: PLANS }, (_, plan) => ({ amount: 1_000 * (plan + 1), credit: 1_111 * (plan + 1) })),
    referrals: Array.from({ length: PHASES }, (_, phase) =>
      Array.from({ length: CODES }, (_, code) => ({
        code: codeOf(phase, code),
        maxUsage: code === 0 ? 2 : null,
        reward: code === 0 ? 555 : 0,
      })),
    ).flat(),
  }
}

/** Everybody logs in and has something to spend, and there is something to buy. */
function prologue({ balances }: Story): Round[] {
  const together = (commands: Command[]): Round => ({ advanceMs: 0, nodes: 2, commands })
  return [
    together(usernames.map((_, user) => ({ type: 'login', user, device: 0 }))),
    together(balances.flatMap((amount, user) => (amount === 0 ? [] : [{ type: 'adjust', user, amount, days: null }]))),
    together([
      { type: 'addKeys', place: 0, keys: [0, 1, 2, 3, 4] },
      { type: 'addKeys', place: 1, keys: [5, 6] },
    ]),
  ]
}

interface Scene {
  world: World
  phase: number
  seeded: Seeded
  /** By user and device. */
  jars: Cookies[][]
}

/** Sends the round's commands together. @returns them in the order of their answers */
async function play(store: TwoNodes, { commands, nodes }: Round, scene: Scene): Promise<Sent[]> {
  const { world, seeded } = scene
  const answered: Sent[] = []
  const ready = commands.map((command) => {
    const { user, jar } = whoSends(command, scene)
    const sent = { ...resolve(command, user, scene), ...sentBy(jar) }
    const request = requestOf(sent, {
      userId: seeded.userIds[user] ?? '',
      password: PASSWORD,
      productOf: (priceId) => {
        const place = seeded.priceIds.indexOf(priceId)
        const { productId = '', duration = '' } = world.prices.get(priceId) ?? {}
        return { productId, duration, productName: PRODUCTS[place] ?? '' }
      },
    })
    return { command, sent, request, jar, cookies: { ...jar } }
  })
  await Promise.all(
    ready.map(async ({ command, sent, request, jar, cookies }, index) => {
      const headers = sent.idempotencyKey === null ? {} : { 'idempotency-key': sent.idempotencyKey }
      const { session, ...answer } = await store.send(index % nodes, request, cookies, headers)
      if (session !== undefined) jar.session = session
      if (command.type === 'logout') jar.session = undefined
      answered.push({ ...sent, answer })
    }),
  )
  return answered
}

function sentBy({ device, session }: Cookies): { device: string | undefined; token: string | undefined } {
  const hashed = (cookie: string | undefined) => (cookie === undefined ? undefined : hashToken(cookie).toString('hex'))
  return { device: hashed(device), token: hashed(session) }
}

/** A login or logout names a device. Everything else happens where the person is logged in. */
function whoSends(command: Command, { world, jars }: Scene): { user: number; jar: Cookies } {
  const user = 'user' in command ? command.user : 0
  const own = jars[user] ?? []
  const holder = world.users.get(usernames[user] ?? '')?.device
  const jar = 'device' in command ? own[command.device] : (own.find((each) => sentBy(each).device === holder) ?? own[0])
  return { user, jar: jar ?? {} }
}

function resolve(command: Command, user: number, scene: Scene): Omit<Sent, 'answer' | 'device' | 'token'> {
  const { world, phase, seeded } = scene
  const paymentIds = [...world.payments.keys()].toReversed()
  const plan = 'plan' in command ? command.plan : null
  return {
    command,
    username: usernames[user] ?? '',
    priceId: seeded.priceIds['place' in command ? command.place : 0] ?? '',
    planId: plan === null ? undefined : seeded.planIds[plan],
    paymentId:
      ('payment' in command ? paymentIds[command.payment % Math.max(1, paymentIds.length)] : undefined) ?? newId(),
    keyId: (command.type === 'removeKey' ? world.keys.get(keyTextOf(phase, command.key))?.id : undefined) ?? newId(),
    texts: command.type === 'addKeys' ? command.keys.map((key) => keyTextOf(phase, key)) : [],
    utr: `4${String(phase).padStart(10, '0')}${'utr' in command ? command.utr : 0}`,
    code: codeOf(phase, command.type === 'register' ? command.code : 0),
    voucher: command.type === 'redeem' ? voucherOf(phase, command.isGift, command.voucher) : '',
    newName: `new-${phase}-${command.type === 'register' ? command.name : 0}`,
    idempotencyKey: command.type === 'buy' && command.key !== null ? `key-${phase}-${command.key}` : null,
  }
}

/** Lists what was acknowledged and is not there. */
function missing(acknowledged: readonly Sent[], world: World): string[] {
  return acknowledged.filter((sent) => !isThere(sent, world)).map(({ command }) => `Lost: ${JSON.stringify(command)}`)
}

function isThere({ command: { type }, answer, paymentId, newName }: Sent, world: World): boolean {
  if (type === 'buy') {
    const { keys, order } = answer.body as unknown as { keys: { _id: string; key: string }[]; order: { _id: string } }
    const isOfOrder = (text: string, id: string) => {
      const key = world.keys.get(text)
      return key?.id === id && key.orderId === order._id
    }
    return world.orders.has(order._id) && keys.every(({ _id, key }) => isOfOrder(key, _id))
  }
  if (type === 'approve') return world.payments.get(paymentId)?.status === 'approved'
  if (type === 'reject') return world.payments.get(paymentId)?.status === 'rejected'
  if (type === 'addMoney') return world.payments.has((answer.body.payment as { _id: string })._id)
  return type !== 'register' || world.users.has(newName)
}

/** Why no order of the commands gives these answers and leaves the world like this; nothing when one does. */
function unexplained(before: World, sents: readonly Sent[], after: World): string[] {
  const found = linesOf(after)
  const text = found.join('\n')
  let nearest: string[] | undefined
  let longest: readonly Sent[] = []

  function search(world: World, done: readonly Sent[], left: readonly Sent[]): boolean {
    if (left.length === 0) {
      const expected = linesOf(world)
      if (expected.join('\n') === text) return true
      const difference = differenceOf(expected, found)
      if (nearest === undefined || difference.length < nearest.length) nearest = difference
      return false
    }
    if (done.length > longest.length) longest = done
    return left.some((sent) => {
      const next = copyOf(world)
      if (!explains(next, sent)) return false
      return search(
        next,
        [...done, sent],
        left.filter((each) => each !== sent),
      )
    })
  }
  if (search(before, [], sents)) return []
  if (nearest)
    return ['The answers are right for some order, but the store holds (+) what it should not (-):', ...nearest]
  const inOrder = longest.map((sent) => sents.indexOf(sent) + 1).join(', ')
  return [`No order of the commands explains the answers; the longest that begins right is (${inOrder})`]
}

function report(index: number, round: Round, sents: readonly Sent[], before: World, faults: readonly string[]): string {
  const lines = sents.map((sent, number) => {
    const { status, body } = sent.answer
    return `  ${number + 1}. ${JSON.stringify(sent.command)} → ${status} ${JSON.stringify(body)}`
  })
  return [
    `Round ${index + 1} (${round.nodes} nodes, the clock moved by ${round.advanceMs} ms) cannot be. Answers in ` +
      'the order in which they came:',
    ...lines,
    'What is wrong:',
    ...faults.map((fault) => `  ${fault}`),
    'Before the round:',
    ...linesOf(before).map((line) => `  ${line}`),
  ].join('\n')
}
