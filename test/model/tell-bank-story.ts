/**
 * Tells one story of the bank inbox. What a source has said is noted here, so that after each round the store's records
 * can be compared with it: whatever the order was, an alert and a statement make the same credit.
 */
import { newId, newToken } from '../../server/platform/ids.ts'
import { openBank, readBank, type BankWorld, type OpenBank } from './bank-world.ts'
import { AMOUNTS, planCredit, type BankCommand, type BankStory } from './bank-commands.ts'
import { USERS, type Answer, type Request } from './commands.ts'
import { PASSWORD, type Cookies, type TwoNodes } from './two-nodes.ts'
import { statementOf } from '../worlds/bank.ts'
import { alertOf } from '../worlds/phones.ts'
import type { Told } from './tell-story.ts'

const BUSY = 503
const usernames = Array.from({ length: USERS }, (_, user) => `buyer-${user}`)
const utrOf = (utr: number): string => `41234500000${utr}`
const rupees = (amount: number): number => amount / 100
const LIMITS = { perRequest: 2_000, perBuyerDay: 100_000, perDay: 1_000_000 }

/** A source's word on a transfer. */
interface Saying {
  utr: string
  amount: number
  strength: number
}
const STRENGTHS = ['none', 'alert', 'report', 'statement'] as const

interface Scene {
  store: TwoNodes
  bank: OpenBank
  jars: Cookies[]
  /** The plan of each amount. */
  planIds: string[]
  world: BankWorld
  /** The day of each transfer, which its first source named. */
  days: Map<string, string>
  sayings: Saying[]
  /** The highest that was ever allowed, in paise. */
  ceiling: number
  trustedPhone: boolean
  statements: number
}

/** @throws Error that says which round cannot be, and why */
export async function tellBankStory(store: TwoNodes, story: BankStory): Promise<Told> {
  const plans = AMOUNTS.map((amount) => ({ amount, credit: planCredit(amount) }))
  const { userIds, planIds } = await store.seed({
    usernames,
    places: [],
    plans,
    referrals: [],
    vouchers: [],
    validityDays: null,
  })
  const bank = await openBank(store.db, store.now())
  const scene: Scene = {
    store,
    bank,
    jars: await Promise.all(usernames.map((username) => logIn(store, username))),
    planIds,
    world: await readBank(store.db),
    days: new Map(),
    sayings: [],
    ceiling: 0,
    trustedPhone: false,
    statements: 0,
  }
  const told: Told = { operations: 0, rounds: 0, busyRounds: 0 }
  const rounds = [{ advanceMs: 0, commands: [story.rules as BankCommand] }, ...story.bankRounds]
  try {
    for (const [index, round] of rounds.entries()) {
      if (round.advanceMs > 0) await store.advance(round.advanceMs)
      const answers = await Promise.all(round.commands.map((command, nth) => act(scene, command, nth, userIds)))
      told.operations += round.commands.length
      told.rounds += 1
      if (answers.some(({ status }) => status === BUSY)) {
        told.busyRounds += 1
        return told
      }
      const before = scene.world
      scene.world = await readBank(store.db)
      const faults = [
        ...answers.filter(({ status }) => status >= 500).map(() => 'An answer is a 5xx'),
        ...(await store.broken()),
        ...faultsOf(scene),
      ]
      if (faults.length > 0) throw new Error(report({ index, round, answers, faults, before, after: scene.world }))
    }
    return told
  } finally {
    // Work that follows an answer must not meet the next story
    await store.settled()
  }
}

async function logIn(store: TwoNodes, username: string): Promise<Cookies> {
  const device = newToken()
  const body = { username, password: PASSWORD }
  const { session } = await store.send(0, { method: 'POST', path: '/auth/login', body, by: 'user' }, { device })
  return { device, session }
}

type Given = Pick<Answer, 'status' | 'body'>

async function act(scene: Scene, command: BankCommand, nth: number, userIds: readonly string[]): Promise<Given> {
  const { store, bank, jars } = scene
  if (command.type === 'settleLeft') {
    await store.settleLeft(nth)
    return { status: 200, body: {} }
  }
  const saying = sayingsOf(command)
  for (const { utr } of saying) if (!scene.days.has(utr)) scene.days.set(utr, indianDay(store.now()))
  if (command.type === 'rules') {
    scene.ceiling = Math.max(scene.ceiling, command.unprovenMax)
    scene.trustedPhone ||= command.trusts === 'phone' && command.mode !== 'propose'
  }
  const headers: Record<string, string> = command.type === 'alert' ? { authorization: `Bearer ${bank.token}` } : {}
  const answer = await store.send(
    nth,
    requestOf(scene, command, userIds),
    command.type === 'ask' ? (jars[command.user] ?? {}) : {},
    headers,
  )
  if (answer.status < 300 && answer.body.outcome !== 'ignored') scene.sayings.push(...saying)
  return answer
}

const indianDay = (now: Date): string => new Date(now.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10)

function sayingsOf(command: BankCommand): Saying[] {
  if (command.type === 'alert') return [{ utr: utrOf(command.utr), amount: command.amount, strength: 1 }]
  if (command.type !== 'statement') return []
  return command.lines.map(({ utr, amount }) => ({ utr: utrOf(utr), amount, strength: command.isBroken ? 0 : 3 }))
}

function requestOf(scene: Scene, command: Exclude<BankCommand, { type: 'settleLeft' }>, userIds: readonly string[]) {
  const { world, bank } = scene
  const paymentId = ('payment' in command ? world.requests[command.payment]?.id : undefined) ?? newId()
  const creditId = ('credit' in command ? world.credits[command.credit]?.id : undefined) ?? newId()
  const admin = (method: 'POST' | 'PUT', path: string, body: Record<string, unknown> = {}): Request => ({
    method,
    path,
    body,
    by: 'admin',
  })
  switch (command.type) {
    case 'ask': {
      const { amount, utr, isPlan } = command
      const meta = isPlan ? { offer: true, planId: scene.planIds[AMOUNTS.indexOf(amount)] } : null
      const body = { amount: rupees(amount), utr: utrOf(utr), payerName: '9876543210', meta }
      return { method: 'POST', path: '/payments/add-money', body, by: 'user' } as const
    }
    case 'alert': {
      const day = (scene.days.get(utrOf(command.utr)) ?? '').slice(2).split('-').toReversed().join('-')
      const text = alertOf({ amount: rupees(command.amount).toFixed(2), ref: utrOf(command.utr), day })
      return { method: 'POST', path: '/bank/alerts', body: { from: 'HDFCBK', text }, by: 'nobody' } as const
    }
    case 'statement':
      return admin('POST', '/bank/statements', { text: textOf(scene, command), accountId: bank.accountId })
    case 'approve':
    case 'reject':
      return admin('PUT', `/payments/${paymentId}/${command.type}`)
    case 'takeBack':
      return admin('POST', `/payments/${paymentId}/take-back`, { reason: 'Of another' })
    case 'creditTo':
      return admin('POST', `/bank/credits/${creditId}/credit`, { userId: userIds[command.user], reason: 'Asked' })
    case 'setAside':
      return admin('PUT', `/bank/credits/${creditId}/set-aside`, command.isBack ? { back: true } : { why: 'Own' })
    case 'rules': {
      const { mode, trusts, unprovenMax } = command
      return admin('PUT', '/bank/rules', { mode, trusts, unprovenMax: rupees(unprovenMax), ...LIMITS })
    }
    case 'resume':
      break
  }
  return admin('PUT', `/bank/devices/${bank.deviceId}`, { paused: false })
}

/** Each statement begins with a balance of its own, so that none is the same file as another. */
function textOf(scene: Scene, { lines, isBroken }: Extract<BankCommand, { type: 'statement' }>): string {
  scene.statements += 1
  const rows = lines.map(({ utr, amount, note }) => {
    const ref = utrOf(utr)
    const written = note === null ? 'WALLET' : `UPI ${utrOf(note)}`
    const narration = () => `UPI-RAVI KUMAR-R${utr}@OKAXIS-UTIB0000123-${ref}-${written}`
    return { refs: [ref], amount: rupees(amount), day: scene.days.get(ref) ?? '', narration }
  })
  const days = rows.map(({ day }) => day).toSorted()
  const opening = 100_000 + scene.statements
  const text = statementOf(
    rows.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    { from: days[0] ?? '', to: indianDay(scene.store.now()), opening },
  )
  if (!isBroken) return text
  const printed = text.split('\n')
  const second = printed.findIndex((row) => row.startsWith('Date')) + 2
  return printed.map((row, at) => (at === second ? row.replace(/[\d.]+$/, '1.00') : row)).join('\n')
}

/** Lists where the records differ from the sources, and approvals that must not be. */
function faultsOf({ world, sayings, ceiling, trustedPhone, store }: Scene): string[] {
  const faults: string[] = []
  const expect = (isSo: boolean, fault: string) => void (isSo || faults.push(fault))
  const said = new Set(sayings.map(({ utr }) => utr))
  expect(world.credits.length === said.size, `${said.size} transfers were told of, ${world.credits.length} are known`)
  for (const { id, refs, amount, proof, differs, isSetAside } of world.credits) {
    const of = sayings.filter(({ utr }) => refs.length === 1 && utr === refs[0])
    const agreeing = of.filter((saying) => saying.amount === amount)
    expect(agreeing.length > 0, `Nobody has said that ${amount} came as ${refs.join()}`)
    const strongest = STRENGTHS[Math.max(...agreeing.map(({ strength }) => strength))]
    expect(proof === strongest, `${refs.join()} is proven by ${proof}, and ${strongest} has said so`)
    expect(differs === of.length > agreeing.length, `${refs.join()} differs: ${differs}`)
    const live = world.matches.filter(({ creditId, isReleased }) => creditId === id && !isReleased)
    expect(live.length <= 1, `${refs.join()} pays for ${live.length} requests`)
    expect(!isSetAside || live.length === 0, `${refs.join()} is set aside and pays`)
    for (const match of live) {
      const request = world.requests.find((each) => each.id === match.topUpId)
      expect(request?.amount === amount, `${amount} pays for a request of ${request?.amount}`)
      if (match.how !== 'auto') continue
      expect(request?.utr === refs[0], `${refs.join()} has paid for ${request?.utr}`)
      expect(match.proofThen !== 'none', `${refs.join()} was approved without a proof`)
      expect(match.proofThen !== 'alert' || trustedPhone, `${refs.join()} was approved on an alert`)
      const isRival = ({ utr, userId, at }: BankWorld['rivals'][number]) =>
        utr === request?.utr && userId !== request?.userId && at < match.madeAt
      expect(!world.rivals.some(isRival), `${refs.join()} was approved although two have claimed it`)
    }
  }
  const onAlerts = new Set(world.credits.filter(({ proof }) => proof === 'alert').map(({ id }) => id))
  const unproven = world.matches
    .filter(({ how, creditId, isReleased }) => how === 'auto' && !isReleased && onAlerts.has(creditId))
    .reduce((total, { credited }) => total + credited, 0)
  expect(world.unproven === unproven, `${unproven} are not proven, counted ${world.unproven}`)
  expect(world.unproven <= ceiling, `${world.unproven} are not proven, and at most ${ceiling} were ever allowed`)
  const today = world.matches.filter(
    ({ how, madeAt }) => how === 'auto' && indianDay(madeAt) === indianDay(store.now()),
  )
  const sum = today.reduce((total, { credited }) => total + credited, 0)
  expect(world.day !== indianDay(store.now()) || world.dayPaise === sum, `Today ${sum}, counted ${world.dayPaise}`)
  return faults
}

function report(found: {
  index: number
  round: { advanceMs: number; commands: readonly BankCommand[] }
  answers: readonly Given[]
  faults: readonly string[]
  before: BankWorld
  after: BankWorld
}): string {
  const { index, round, answers, faults, before, after } = found
  return [
    `Bank round ${index + 1} (the clock moved by ${round.advanceMs} ms) cannot be:`,
    ...round.commands.map((command, nth) => {
      const { status, body } = answers[nth] ?? {}
      return `  ${JSON.stringify(command)} → ${status} ${JSON.stringify(body)}`
    }),
    'What is wrong:',
    ...faults.map((fault) => `  ${fault}`),
    `Before the round: ${JSON.stringify(before)}`,
    `After the round: ${JSON.stringify(after)}`,
  ].join('\n')
}
