/**
 * A month of people who pay, and of thieves. It knows who paid what, so that every approval can be judged.
 * The same seed makes the same month, in every mode of the store.
 */
import { startOf, timeOfDayMs } from '../../contract/india.ts'
import { seededDice } from '../dice.ts'

/** Money that came to the account. `from` is nobody for friends and salaries. */
export interface Transfer {
  ref: string
  rupees: number
  at: number
  from: string | undefined
  vpa: string
  note: string
}

/** A top-up request. Only `own` is true. */
export interface Claim {
  kind: 'claim'
  at: number
  by: string
  ref: string
  rupees: number
  truth: 'own' | 'slip' | 'stolen' | 'guessed' | 'forged' | 'second'
}

export interface Alert {
  kind: 'alert'
  at: number
  ref: string
  rupees: number
  vpa: string
  /** The day that the text names. */
  paidAt: number
  /** True if the phone got it. Otherwise a thief calls the store's door with the phone's token. */
  by: 'bank' | 'forger' | 'token thief'
  /** In place of the bank's words. */
  said?: Said
}

/** Comes from the bank's sender if none is named. */
export interface Said {
  text: string
  from?: string
}

export interface Month {
  people: string[]
  transfers: Transfer[]
  /** In the order of time. */
  events: (Claim | Alert)[]
  startsAt: number
  endsAt: number
  attacks: Record<string, number>
}

const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
const AMOUNTS = [100, 150, 200, 300, 500, 500, 1_000]
/** How many of a hundred payments are unlike the others, in each way. */
const MISSING = 10
const LATE = 5
const SLIPS = 2
const NEW_HANDLES = 8
const FORGED_RUPEES = 2_000
const TOKEN_BURST = 5

export const THIEVES = 20

export function planMonth({ days, buyers, seed }: { days: number; buyers: number; seed: number }): Month {
  const dice = seededDice(seed)
  const startsAt = startOf('2026-11-01').getTime()
  const names = { buyers: namesOf('buyer', buyers), thieves: namesOf('thief', THIEVES) }
  const month: Month = {
    people: [...names.buyers, ...names.thieves],
    transfers: [],
    events: [],
    startsAt,
    endsAt: startsAt + days * DAY,
    attacks: {},
  }
  const planner = { month, dice, used: new Set<string>() }
  for (let day = 0; day < days; day++) {
    const topUps: number[] = []
    for (const buyer of names.buyers) if (dice(3) === 0) topUps.push(payAndClaim(planner, buyer, day))
    for (let friend = 0; friend < 2; friend++) pay(planner, { day, from: undefined, rupees: AMOUNTS[dice(7)] ?? 100 })
    attack(planner, names.thieves, day, topUps)
  }
  month.events.sort((a, b) => a.at - b.at)
  return month
}

const namesOf = (stem: string, count: number) => Array.from({ length: count }, (_, n) => `${stem}${n}`)

interface Planner {
  month: Month
  dice: (sides: number) => number
  used: Set<string>
}

/** A reference as networks make them: year, day of the year, hour, and a running number. */
function newRef({ dice, used }: Planner, at: number): string {
  const dayOfYear = Math.floor((at - startOf('2026-01-01').getTime()) / DAY) + 1
  const hour = Math.floor(timeOfDayMs(new Date(at)) / HOUR)
  for (;;) {
    const ref = `6${dayOfYear}${String(hour).padStart(2, '0')}${String(dice(1_000_000)).padStart(6, '0')}`
    if (used.has(ref)) continue
    used.add(ref)
    return ref
  }
}

/** Money comes between 8 and 20 o'clock, and the phone mostly gets the SMS. */
function pay(
  planner: Planner,
  { day, from, rupees, note = 'WALLET' }: { day: number; from: string | undefined; rupees: number; note?: string },
): Transfer {
  const { month, dice } = planner
  const at = month.startsAt + day * DAY + 8 * HOUR + dice(12 * 3_600) * SECOND
  const handle = from ?? `friend${dice(30)}`
  const vpa = dice(100) < NEW_HANDLES ? `${handle}.${dice(3)}@ybl` : `${handle}@okaxis`
  const transfer = { ref: newRef(planner, at), rupees, at, from, vpa, note }
  month.transfers.push(transfer)
  const fate = dice(100)
  const delay = fate < MISSING + LATE ? 10 * MINUTE + dice(20 * 60) * MINUTE : (5 + dice(55)) * SECOND
  if (fate >= MISSING) alert(planner, { ...transfer, at: at + delay, paidAt: at, by: 'bank' })
  return transfer
}

function alert({ month }: Planner, { at, ref, rupees, vpa, paidAt, by }: Omit<Alert, 'kind'>): void {
  month.events.push({ kind: 'alert', at, ref, rupees, vpa, paidAt, by })
}

function claim({ month }: Planner, wanted: Omit<Claim, 'kind'>): number {
  return month.events.push({ kind: 'claim', ...wanted }) - 1
}

/** @returns the place of the claim among the month's events */
function payAndClaim(planner: Planner, buyer: string, day: number): number {
  const { dice } = planner
  const transfer = pay(planner, { day, from: buyer, rupees: AMOUNTS[dice(AMOUNTS.length)] ?? 100 })
  const slips = dice(100) < SLIPS
  return claim(planner, {
    at: transfer.at + (60 + dice(540)) * SECOND,
    by: buyer,
    ref: transfer.ref,
    rupees: slips ? transfer.rupees * 10 : transfer.rupees,
    truth: slips ? 'slip' : 'own',
  })
}

/** Each thief's acts, by day. Three of the five who steal, and one forger, have paid honestly before. */
function attack(planner: Planner, thieves: readonly string[], day: number, topUps: readonly number[]): void {
  const { month, dice } = planner
  const note = (kind: string) => (month.attacks[kind] = (month.attacks[kind] ?? 0) + 1)
  const thief = (n: number) => thieves[n] ?? ''
  const victim = () => month.events[topUps[dice(Math.max(1, topUps.length))] ?? -1] as Claim | undefined
  if (day === 0)
    for (const n of [0, 1, 2, 9]) {
      const own = pay(planner, { day, from: thief(n), rupees: 100 })
      claim(planner, { at: own.at + MINUTE, by: thief(n), ref: own.ref, rupees: 100, truth: 'own' })
    }
  if (day > 0 && day % 2 === 0) steal(planner, thief((day / 2) % 5), victim(), note)
  for (const n of [5, 6, 7, 8].filter((each) => (day + each) % 2 === 0)) {
    const at = month.startsAt + day * DAY + 12 * HOUR + dice(6 * 60) * MINUTE
    claim(planner, { at, by: thief(n), ref: newRef(planner, at - HOUR), rupees: 500, truth: 'guessed' })
    note('guesses')
  }
  if (day % 3 === 1) forge(planner, thief(9 + (Math.floor(day / 3) % 3)), day, 'forger', note)
  if (day >= 10 && day % 5 === 0)
    for (const n of [12, 13])
      for (let nth = 0; nth < TOKEN_BURST; nth++) forge(planner, thief(n), day, 'token thief', note)
  if (day % 4 === 2) {
    pay(planner, { day, from: thief(14), rupees: 1, note: victim()?.ref ?? '' })
    note('notes with a stranger’s reference')
  }
  const claimed = victim()
  if (day % 3 === 0 && claimed?.truth === 'own') {
    claim(planner, { ...claimed, at: claimed.at + 5 * MINUTE, by: thief(16 + (day % 2)), truth: 'second' })
    note('second claims')
  }
  if (day % 6 === 3) overOwnRupee(planner, thief(18 + (day % 2)), day, note)
}

type Note = (kind: string) => void

/** Sends the UTR of a screenshot, up to an hour before its owner does. */
function steal(planner: Planner, by: string, victim: Claim | undefined, note: Note): void {
  if (victim?.truth !== 'own') return
  const at = victim.at
  victim.at += (1 + planner.dice(60)) * MINUTE
  claim(planner, { at, by, ref: victim.ref, rupees: victim.rupees, truth: 'stolen' })
  note('stolen UTRs')
}

/** An SMS with the right tail and the bank's own words, of money that never came. */
function forge(planner: Planner, claimant: string, day: number, by: 'forger' | 'token thief', note: Note): void {
  const at = planner.month.startsAt + day * DAY + 9 * HOUR + planner.dice(10 * 60) * MINUTE
  const ref = newRef(planner, at)
  alert(planner, { at, ref, rupees: FORGED_RUPEES, vpa: `${claimant}@okaxis`, paidAt: at, by })
  claim(planner, { at: at + MINUTE, by: claimant, ref, rupees: FORGED_RUPEES, truth: 'forged' })
  note(by === 'forger' ? 'forged SMS' : 'alerts with the stolen token')
}

/** A real rupee, and a forged alert that makes more of it. */
function overOwnRupee(planner: Planner, by: string, day: number, note: Note): void {
  const { ref, at, vpa } = pay(planner, { day, from: by, rupees: 1 })
  alert(planner, { at: at + SECOND, ref, rupees: FORGED_RUPEES, vpa, paidAt: at, by: 'forger' })
  claim(planner, { at: at + 2 * SECOND, by, ref, rupees: FORGED_RUPEES, truth: 'forged' })
  note('forged alerts over an own ₹1')
}
