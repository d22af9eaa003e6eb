/**
 * A month of a shop whose bank credits decide top-ups, in every mode: honest buyers, late and missing alerts, and
 * thieves who steal UTRs, guess them, forge SMS, and send alerts with the phone's token. Beside it a month of wordings
 * that no release knows.
 */
import { startEngine } from '../test/engine.ts'
import { openClockedStore, type Bank, type ClockedStore } from './bank/clocked-store.ts'
import { planMonth } from './bank/month.ts'
import { playMonth, type Played, type Rules } from './bank/run-month.ts'
import { planWordings, playWordings } from './bank/unknown-wordings.ts'
import type { Drill } from './drill.ts'
import { endLater } from './store-process.ts'

const CEILING = 10_000
const WIDE = 1_00_000
const LIMITS = { perRequest: 2_000, perBuyerDay: 5_000, perDay: 10_00_000, unprovenMax: CEILING }
const SEED = 20_261_123
const MIXED = 'mixed banks'

const MODES: Record<string, Rules> = {
  propose: { mode: 'propose', trusts: 'statement', ...LIMITS },
  'auto-known, statement': { mode: 'auto-known', trusts: 'statement', ...LIMITS },
  'auto-known, phone': { mode: 'auto-known', trusts: 'phone', ...LIMITS, unprovenMax: WIDE },
  'auto, statement': { mode: 'auto', trusts: 'statement', ...LIMITS },
  'auto, statement of ICICI': { mode: 'auto', trusts: 'statement', ...LIMITS },
  'auto, phone, ₹10,000 unproven': { mode: 'auto', trusts: 'phone', ...LIMITS },
  'auto, phone, ₹1,00,000 unproven': { mode: 'auto', trusts: 'phone', ...LIMITS, unprovenMax: WIDE },
  [`propose, ${MIXED}`]: { mode: 'propose', trusts: 'phone', ...LIMITS, unprovenMax: WIDE },
  [`auto-known, phone, ${MIXED}`]: { mode: 'auto-known', trusts: 'phone', ...LIMITS, unprovenMax: WIDE },
  [`auto, phone, ${MIXED}`]: { mode: 'auto', trusts: 'phone', ...LIMITS, unprovenMax: WIDE },
}
const QUICK = [
  'auto, statement',
  'auto, statement of ICICI',
  'auto, phone, ₹1,00,000 unproven',
  `auto, phone, ${MIXED}`,
]

export const drill: Drill = async ({ quick, say }) => {
  const engine = await startEngine()
  let ended: Promise<void> | undefined
  endLater(() => (ended ??= engine.stop()))
  const days = quick ? 12 : 30
  const month = planMonth({ days, buyers: quick ? 30 : 200, seed: SEED })
  const attacks = Object.entries(month.attacks).map(([kind, count]) => `${count} ${kind}`)
  const figures = [
    `${month.people.length} people, ${month.transfers.length} payments, ${days} days; attacks: ${attacks.join(', ')}`,
  ]
  const missed: string[] = []
  const chosen = Object.entries(MODES).filter(([name]) => !quick || QUICK.includes(name))
  const stores: ClockedStore[] = []
  for (const [name] of chosen) {
    const bank: Bank = name.endsWith('ICICI') ? 'ICICI' : name.endsWith(MIXED) ? 'mixed' : 'HDFC'
    stores.push(await openClockedStore(engine, { people: month.people, at: month.startsAt, bank }))
  }
  const wordings = planWordings()
  const { people, startsAt: at } = wordings.month
  const inWordings = quick ? undefined : await openClockedStore(engine, { people, at, bank: 'HDFC' })
  // Each has a database of its own
  const all = chosen.map(async ([name, rules], nth) => {
    const store = stores[nth]
    if (!store) return
    const played = await playMonth(store, month, rules)
    await store.stop()
    say(`${name}: ${inWords(played)}`)
    figures.push(`${name}: ${inWords(played)}`)
    missed.push(
      ...goalsMissed(played, rules, { quick, isMixed: name.endsWith(MIXED) }).map((goal) => `${name}: ${goal}`),
    )
  })
  const teach = async (store: ClockedStore) => {
    const played = await playWordings(store, wordings)
    await store.stop()
    played.figures.forEach(say)
    figures.push(...played.figures)
    missed.push(...played.missed)
  }
  if (inWordings) all.push(teach(inWordings))
  await Promise.all(all)
  return {
    passed: missed.length === 0,
    figures: [...figures, ...missed.map((goal) => `MISSED ${goal}`)],
    proved: 'what is approved by itself is right, or stays under the ceiling and is noticed by the next statement.',
    cannotProve: 'how often thieves try, and what a bank writes that no sample shows.',
  }
}

/** It may still be noticed, when the month is over. */
const isOpen = ({ hours, isLate }: Played['forged'][number]): boolean => hours === undefined && isLate

const percent = (some: number, all: number) => `${((100 * some) / Math.max(1, all)).toFixed(1)} %`

function inWords({ honest, alone, lastWeek, stolen, forged, tapped, shown, ...rest }: Played): string {
  const sumOf = (wrong: Played['forged']) => wrong.reduce((total, { rupees }) => total + rupees, 0)
  const latest = (wrong: Played['forged']) =>
    Math.max(0, ...wrong.filter((one) => !isOpen(one)).map(({ hours = Infinity }) => hours)).toFixed(0)
  return [
    `${percent(alone, honest)} of ${honest} honest requests decided alone`,
    `${percent(lastWeek.alone, lastWeek.honest)} in the last week`,
    `one tap or none after an upload ${percent(shown.oneTap, shown.all)} of ${shown.all}`,
    `stolen ${stolen.length} (₹${sumOf(stolen)}, undone within ${latest(stolen)} h)`,
    `forged ${forged.length} (₹${sumOf(forged)} in all, at most ₹${rest.forgedAtOnce} at once, undone within ` +
      `${latest(forged)} h)`,
    `wrong ones that the bank confirmed ${tapped}`,
    `turned itself off ${rest.switchedOff} times`,
    `approved on proposals ${rest.onProposals}`,
    `added senders proven ${rest.senders.proven}, ended by a statement ${rest.senders.ended}`,
    `messages ${heardInWords(rest.heard)}`,
    `broken invariants ${rest.broken.length}`,
  ].join('; ')
}

const heardInWords = (heard: Played['heard']): string =>
  Object.entries(heard)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ')

const IGNORED_SHARE = 0.05

/** What a message of each wording comes to, and the requests that only one that was read can decide at once. */
function isHeardAsMeant({ heard, alone, honest }: Played, { mode }: Rules): boolean {
  const { otherwise, ignored, ...meant } = heard
  const all = Object.values(meant).reduce((sum, count) => sum + count, 0)
  const isEach = [meant.credit, meant.proposed, meant.hint, meant.refused].every((count) => count > 0)
  const isAlone = mode !== 'auto' || alone >= (honest * meant.credit * 0.8) / all
  return otherwise === 0 && ignored <= all * IGNORED_SHARE && isEach && isAlone
}

function goalsMissed(played: Played, rules: Rules, { quick, isMixed }: { quick: boolean; isMixed: boolean }): string[] {
  const { mode, trusts, unprovenMax } = rules
  const { honest, alone, lastWeek, stolen, forged, tapped, shown, forgedAtOnce, broken, onProposals, senders } = played
  const isWide = trusts === 'phone' && unprovenMax === WIDE
  const goals: [string, boolean][] = [
    ['books in order', broken.length === 0],
    ['loss by forged alerts within the ceiling', forgedAtOnce <= unprovenMax],
    ['every wrong approval undone', [...stolen, ...forged].every((one) => one.hours !== undefined || isOpen(one))],
    ['stolen at most 1 in 1,000, undone within a day', quick || isStolenSeldom(stolen, honest)],
    ['nothing wrong confirmed', tapped === 0],
    ['≥ 95 % one tap after an upload', shown.oneTap >= shown.all * 0.95],
    ['nothing wrong', mode === 'auto' || trusts === 'phone' || stolen.length + forged.length === 0],
    ['nothing approved on a proposal', onProposals === 0],
    ['an added sender proven, and one that lied ended', !isMixed || (senders.proven > 0 && senders.ended > 0)],
    ['mixed messages come to what their wordings mean', !isMixed || isHeardAsMeant(played, rules)],
    ['nothing alone', mode !== 'propose' || alone === 0],
    // What is only proposed waits for a person or a statement
    ['≥ 80 % alone', mode !== 'auto' || !isWide || isMixed || alone >= honest * 0.8],
    ['≥ 60 % alone after a month', mode !== 'auto-known' || quick || lastWeek.alone >= lastWeek.honest * 0.6],
  ]
  return goals.filter(([, met]) => !met).map(([goal]) => goal)
}

const isStolenSeldom = (stolen: Played['stolen'], honest: number): boolean =>
  stolen.length <= honest / 1_000 && stolen.every(({ hours = Infinity }) => hours <= 24)
