/**
 * A month in which the bank writes in five wordings that no release knows. Statements prove them, an owner lets each
 * count, payers imitate them, and at last a message in each says what never came.
 */
import * as z from 'zod/mini'
import type { BankForm } from '../../contract/bank-alerts.ts'
import { dayOf, startOf, timeOfDayMs } from '../../contract/india.ts'
import { sql } from '../../server/platform/database/database.ts'
import { seededDice } from '../dice.ts'
import type { ClockedStore } from './clocked-store.ts'
import { DAY, HOUR, MINUTE, type Claim, type Month, type Said } from './month.ts'
import { playMonth, type Rules } from './run-month.ts'

interface Told {
  sum: string
  ref: string
  day: string
  time: string
  name: string
  vpa: string
}

/** They differ in the order of amount, reference and payer, in their abbreviations, in their time and their letters. */
const WORDINGS: readonly ((told: Told) => string)[] = [
  ({ sum, name, day, ref }) => `Received Rs.${sum} frm ${name} in A/c *5678 dt ${day}, RRN ${ref}`,
  ({ ref, sum, name }) => `UPI Ref ${ref}: A/c XX5678 Cr. INR ${sum} B/O ${name}. Clr Bal INR 9,999.00`,
  ({ day, time, sum, vpa, ref }) => `${day} ${time} A/c XXX5678 got credit of INR ${sum}; UTR ${ref}; remitter ${vpa}`,
  ({ sum, name, ref, day }) => `खाते XX5678 में Rs ${sum} जमा हुए। भेजने वाले ${name}। UPI संदर्भ संख्या ${ref} ${day}`,
  ({ sum, day, time, ref, name }) => `CR INR ${sum}/Acct X5678/${day} ${time}/UPI/CR/${ref}/${name}/HDFC Bank`,
]
const BUYERS = ['ASHA RAO', 'RAVI KUMAR', 'MEERA', 'IMRAN SHAIKH', 'JOSEPH', 'LEELA BHAT', 'GURPREET SINGH', 'TENZIN']
const DAYS = 30
const A_DAY = 2
const AMOUNTS = [100, 250, 500, 1_000]
const PROVEN_MIN = 10
/** The day on which a message in the first wording lies; the others follow each day. */
const LIES_FROM = 18
/** A statement comes every other day, and tells of its last day in the next. */
const KNOWN_WITHIN_DAYS = 3
const FORGED = 2_000
const RULES: Rules = {
  mode: 'auto',
  trusts: 'phone',
  perRequest: 2_000,
  perBuyerDay: 5_000,
  perDay: 10_00_000,
  unprovenMax: 1_00_000,
}

/** Whose money a reference names, and in which wording. */
interface Named {
  nth: number
  day: number
  kind: 'honest' | 'own rupee' | 'imitation' | 'lie'
}

export interface Plan {
  month: Month
  named: Map<string, Named>
}

/** What a payer's name makes of the bank's message, and what strangers send. `own` tells of the payer's real rupee. */
function imitations(wording: (typeof WORDINGS)[number], own: Told, wanted: Told): Said[] {
  return [
    { text: wording({ ...own, name: `RAVI REF ${wanted.ref}`, vpa: `ravi-ref-${wanted.ref}@ybl` }) },
    { text: wording({ ...own, name: `RAVI Rs.${wanted.sum}`, vpa: `Rs.${wanted.sum}@ybl` }) },
    { text: wording({ ...own, name: wording(wanted), vpa: wording(wanted) }) },
    { text: `${wording(wanted)} Thank you` },
    { text: wording(wanted), from: '+919812345678' },
    { text: wording(wanted), from: 'VM-HDFCBK-P' },
    { text: wording(wanted), from: 'VM-HDFCBX-S' },
  ]
}

/** A thief of his own each time, so that no limit of a buyer stands in the way. */
const thiefOf = (day: number, wording: number) => `thief${day * WORDINGS.length + wording}`

export function planWordings(): Plan {
  const startsAt = startOf('2026-11-01').getTime()
  const thieves = Array.from({ length: DAYS }, (_, day) => WORDINGS.map((_each, nth) => thiefOf(day, nth)))
  const people = [...BUYERS.map((_, n) => `buyer${n}`), ...thieves.flat()]
  const month: Month = { people, transfers: [], events: [], startsAt, endsAt: startsAt + DAYS * DAY, attacks: {} }
  const plan = { month, named: new Map<string, Named>() }
  const dice = seededDice(20_261_201)
  for (let day = 0; day < DAYS; day++)
    for (let nth = 0; nth < WORDINGS.length; nth++) {
      for (let one = 0; one < A_DAY; one++) payHonestly(plan, { day, nth, dice })
      tryToCheat(plan, { day, nth, dice })
    }
  month.events.sort((a, b) => a.at - b.at)
  return plan
}

interface Moment {
  day: number
  nth: number
  dice: (sides: number) => number
}

const atOf = ({ month }: Plan, { day, dice }: Moment) => month.startsAt + day * DAY + 9 * HOUR + dice(10 * 60) * MINUTE

function newMoney({ named }: Plan, at: number, rupees: number, name: string): Told {
  const time = new Date(timeOfDayMs(new Date(at))).toISOString().slice(11, 16)
  const day = dayOf(new Date(at)).slice(2).split('-').toReversed().join('-')
  const ref = `63${String((named.size + 1) * 1_009).padStart(10, '0')}`
  return { sum: rupees.toFixed(2), ref, day, time, name, vpa: `payer.${named.size}@okaxis` }
}

function pay({ month }: Plan, at: number, { ref, sum, vpa }: Told, from?: string): void {
  month.transfers.push({ ref, rupees: Number(sum), at, from, vpa, note: 'WALLET' })
}

/** What is sent in a message, and a request for it a minute later. */
function send(
  { month }: Plan,
  at: number,
  { ref, sum, vpa }: Told,
  said: Said,
  by: string,
  truth: Claim['truth'],
): void {
  const rupees = Number(sum)
  month.events.push({ kind: 'alert', at, ref, rupees, vpa, paidAt: at, by: 'bank', said })
  month.events.push({ kind: 'claim', at: at + MINUTE, by, ref, rupees, truth })
}

function payHonestly(plan: Plan, moment: Moment): void {
  const { nth, dice } = moment
  const buyer = dice(BUYERS.length)
  const at = atOf(plan, moment)
  const money = newMoney(plan, at, AMOUNTS[dice(AMOUNTS.length)] ?? 100, BUYERS[buyer] ?? '')
  plan.named.set(money.ref, { nth, day: moment.day, kind: 'honest' })
  pay(plan, at, money, `buyer${buyer}`)
  send(plan, at + MINUTE, money, { text: WORDINGS[nth]?.(money) ?? '' }, `buyer${buyer}`, 'own')
}

function tryToCheat(plan: Plan, moment: Moment): void {
  const { day, nth } = moment
  const wording = WORDINGS[nth]
  if (!wording) return
  const at = atOf(plan, moment)
  const own = newMoney(plan, at, 1, 'RAVI KUMAR')
  plan.named.set(own.ref, { nth, day, kind: 'own rupee' })
  pay(plan, at, own)
  const wanted = newMoney(plan, at, FORGED, 'RAVI KUMAR')
  const isLie = day === LIES_FROM + nth
  plan.named.set(wanted.ref, { nth, day, kind: isLie ? 'lie' : 'imitation' })
  const all = imitations(wording, own, wanted)
  const said = isLie ? { text: wording(wanted) } : (all[(day + nth) % all.length] ?? { text: '' })
  send(plan, at + MINUTE, wanted, said, thiefOf(day, nth), 'forged')
}

export interface PlayedWordings {
  figures: string[]
  missed: string[]
}

/** What an owner saw of one wording. */
interface Course {
  proven: number
  learnedOn?: number
  endedOn?: number
}

export async function playWordings(store: ClockedStore, plan: Plan): Promise<PlayedWordings> {
  const courses = new Map<string, Course>()
  let early = 0
  await playMonth(store, plan.month, RULES, async (day) => {
    const { forms } = (await store.sure('GET', '/bank/forms')) as { forms: BankForm[] }
    for (const { _id, text, proven, contradicted, learnedAt, endedAt } of forms) {
      const course = courses.get(text) ?? { proven }
      courses.set(text, course)
      if (endedAt !== null) course.endedOn ??= day
      if (learnedAt !== null) continue
      // A tap is tried each evening. It may count only once, and where statements have proven enough
      const { status } = await store.asOwner('PUT', `/bank/forms/${_id}`, { learned: true })
      if (status >= 300) continue
      if (proven < PROVEN_MIN || contradicted > 0) early += 1
      course.learnedOn ??= day
      course.proven = proven
    }
  })
  const learned = [...courses.values()].filter(({ learnedOn }) => learnedOn !== undefined)
  return judge(await automatic(store), plan, learned, early)
}

const Made = z.object({ ref: z.string(), isUndone: z.boolean() })

/** What was approved automatically on a message alone. */
const automatic = (store: ClockedStore) =>
  store.db.rows(sql(Made)`
    select utr as ref, released_at is not null as is_undone
      from bank_matches match join topup_requests request on request.id = topup_id
     where how = 'auto' and proof_then = 'alert'`)

function judge(
  made: readonly z.output<typeof Made>[],
  { named }: Plan,
  learned: readonly Course[],
  early: number,
): PlayedWordings {
  const each = WORDINGS.map((_, nth) => {
    const of = (kind: Named['kind']) =>
      made.flatMap(({ ref, isUndone }) => {
        const money = named.get(ref)
        return money?.nth === nth && money.kind === kind ? [{ day: money.day, isUndone }] : []
      })
    const [honest, lies] = [of('honest'), of('lie')]
    const from = Math.min(DAYS, ...honest.map(({ day }) => day))
    const to = LIES_FROM + nth
    const expected = [...named.values()].filter(
      (one) => one.nth === nth && one.kind === 'honest' && one.day >= from && one.day < to,
    )
    const alone = honest.filter(({ day }) => day < to).length
    const late = honest.filter(({ day }) => day > to + KNOWN_WITHIN_DAYS).length
    return { from, to, expected: expected.length, alone, late, lies, imitated: of('imitation').length }
  })
  const goals: [string, boolean][] = [
    ['five wordings learned', learned.length === WORDINGS.length],
    ['none before ten proven payments, none twice', early === 0],
    ['all automatic from then on', each.every(({ alone, expected, to }) => alone === expected && alone >= to)],
    ['no imitation approved automatically', each.every(({ imitated }) => imitated === 0)],
    ['a lie taken, and undone', each.every(({ lies: [lie] }) => lie?.isUndone)],
    ['one contradiction ends a wording', learned.every(({ endedOn }) => endedOn !== undefined)],
    ['and nothing in it is automatic then', each.every(({ late }) => late === 0)],
  ]
  const taps = learned.map(({ learnedOn = 0, proven, endedOn = DAYS }) => `${learnedOn + 1}–${endedOn + 1} (${proven})`)
  const imitations = [...named.values()].filter(({ kind }) => kind === 'imitation').length
  return {
    figures: [
      `unknown wordings: let count on days ${taps.join(', ')} (payments proven by then); ${imitations} imitations`,
      ...each.map(
        ({ from, to, expected, alone, late, lies, imitated }, nth) =>
          `wording ${nth + 1}: ${alone} of ${expected} payments of days ${from + 1} to ${to} automatic, ${late} ` +
          `after its end; ${lies.length} lie taken for ₹${FORGED} and undone; ${imitated} imitations taken`,
      ),
    ],
    missed: goals.filter(([, met]) => !met).map(([goal]) => `unknown wordings: ${goal}`),
  }
}
