import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../contract/time.ts'
import { judge, whyHeld, type MatchCredit, type MatchRequest } from './decide-match.ts'
import type { Automation, BuyerRecord } from './match-facts.ts'

const AT = new Date('2026-11-20T10:00:00Z')
const after = (hours: number): Date => new Date(AT.getTime() + hours * HOUR_MS)

const REQUEST: MatchRequest = {
  isOpen: true,
  utr: '632245101877',
  amountPaise: 50_000,
  creditPaise: 50_000,
  createdAt: AT,
  isContested: false,
}
const CREDIT: MatchCredit = {
  refs: ['632245101877'],
  amountPaise: 50_000,
  day: '2026-11-20',
  at: null,
  kind: 'payment',
  proof: 'statement',
  differs: false,
  isProposed: false,
  isTaken: false,
  feedsStore: true,
  isOfAnother: false,
  firstSeenAt: AT,
}
const RULES: Automation = {
  mode: 'auto',
  trusts: 'phone',
  perRequest: 200_000,
  perBuyerDay: 500_000,
  perDay: 2_500_000,
  unprovenMax: 1_000_000,
  today: 0,
  unproven: 0,
  carefulAbove: 1_000_000,
}
const BUYER: BuyerRecord = {
  today: 0,
  isKnown: true,
  isFirst: false,
  knowsPayer: true,
  misses: 0,
  claimedOthers: false,
}

test('no rule approves a large request on an alert alone, whatever its limits', () => {
  const most = 1_00_00_000
  const rules = { ...RULES, perRequest: most, perBuyerDay: most, perDay: most, unprovenMax: most }
  const held = (amountPaise: number, proof: 'alert' | 'statement', more: Partial<Automation> = {}) =>
    whyHeld(
      { ...REQUEST, amountPaise, creditPaise: amountPaise },
      { ...CREDIT, amountPaise, proof },
      { rules: { ...rules, ...more }, buyer: BUYER },
    )

  expect(held(10_000_00, 'alert')).toBe('Only an alert says so')
  expect(held(9_999_99, 'alert')).toBeUndefined()
  expect(held(10_000_00, 'statement')).toBeUndefined()
  expect(held(10_000_00, 'alert', { carefulAbove: null })).toBeUndefined()
})

test.each<[string, Partial<MatchRequest>, Partial<MatchCredit>, string]>([
  ['all agree', {}, {}, 'confirmed'],
  ['a report agrees', {}, { proof: 'report' }, 'confirmed'],
  ['only an alert agrees', {}, { proof: 'alert' }, 'alert'],
  ['only the parts of a message agree', {}, { proof: 'none', isProposed: true }, 'proposed'],
  ['the parts of a message tell another amount', {}, { proof: 'none', isProposed: true, amountPaise: 1 }, 'unseen'],
  [
    'the parts of a message agree, and another claims it',
    { isContested: true },
    { proof: 'none', isProposed: true },
    'rivals',
  ],
  ['1 the request is not pending', { isOpen: false }, {}, 'unseen'],
  ['1 the credit pays for another request', {}, { isTaken: true }, 'unseen'],
  ['2 it is a reversal', {}, { kind: 'reversal' }, 'unseen'],
  ['2 it came to another account', {}, { feedsStore: false }, 'unseen'],
  ['3 the reference is written differently', {}, { refs: ['AXIS632245101877'] }, 'hint'],
  ['3 there is no reference', {}, { refs: [] }, 'hint'],
  ['4 the sources differ', {}, { differs: true }, 'differs'],
  ['5 it is one paisa more', {}, { amountPaise: 50_001 }, 'amount'],
  ['5 it is the same in rupees only', { amountPaise: 49_950 }, { amountPaise: 49_999 }, 'amount'],
  ['6 it came 24 hours before', {}, { at: after(-24) }, 'confirmed'],
  ['6 it came earlier than that', {}, { at: after(-24.001) }, 'late'],
  ['6 it came 72 hours after', {}, { at: after(72) }, 'confirmed'],
  ['6 it came later than that', {}, { at: after(72.001) }, 'late'],
  ['6 it came the day before', {}, { day: '2026-11-19' }, 'confirmed'],
  ['6 it came two days before', {}, { day: '2026-11-18' }, 'late'],
  ['6 it came three days after', {}, { day: '2026-11-23' }, 'confirmed'],
  ['6 it came four days after', {}, { day: '2026-11-24' }, 'late'],
  ['7 somebody else claims it', { isContested: true }, {}, 'rivals'],
  ['8 its payer pays for another buyer', {}, { isOfAnother: true }, 'payer'],
  ['no balance proves the line', {}, { proof: 'none' }, 'hint'],
  ['the first rule that fails names it', { isContested: true }, { amountPaise: 1, differs: true }, 'differs'],
])('%s', (_, request, credit, verdict) => {
  expect(judge({ ...REQUEST, ...request }, { ...CREDIT, ...credit }).verdict).toBe(verdict)
})

test('a day is one in India', () => {
  const late = { ...REQUEST, createdAt: new Date('2026-11-20T19:00:00Z') }
  expect(judge(late, { ...CREDIT, day: '2026-11-20' }).verdict, 'it is the 21st there').toBe('confirmed')
  expect(judge(late, { ...CREDIT, day: '2026-11-19' }).verdict).toBe('late')
})

type Case = [Partial<MatchRequest>, Partial<MatchCredit>, Partial<Automation>, Partial<BuyerRecord>]
test.each<[string, Case, boolean]>([
  ['all is well', [{}, {}, {}, {}], true],
  ['the store only proposes', [{}, {}, { mode: 'propose' }, {}], false],
  ['an alert, and phones are trusted', [{}, { proof: 'alert' }, {}, {}], true],
  ['an alert, and only statements are trusted', [{}, { proof: 'alert' }, { trusts: 'statement' }, {}], false],
  ['an unproven line', [{}, { proof: 'none' }, {}, {}], false],
  ['just the limit of one request', [{}, {}, { perRequest: 50_000 }, {}], true],
  ['above the limit of one request', [{}, {}, { perRequest: 49_999 }, {}], false],
  ['a plan that credits above the limit of one request', [{ creditPaise: 200_001 }, {}, {}, {}], false],
  ['a plan that credits above the limit of a buyer', [{ creditPaise: 60_000 }, {}, {}, { today: 440_001 }], false],
  ['a plan that credits above the limit of a day', [{ creditPaise: 60_000 }, {}, { today: 2_440_001 }, {}], false],
  [
    'a plan that credits above the ceiling',
    [{ creditPaise: 60_000 }, { proof: 'alert' }, { unproven: 940_001 }, {}],
    false,
  ],
  ['above the limit of a buyer', [{}, {}, {}, { today: 450_001 }], false],
  ['above the limit of a day', [{}, {}, { today: 2_450_001 }, {}], false],
  ['three misses', [{}, {}, {}, { misses: 3 }], false],
  ['an unknown buyer, in auto-known', [{}, {}, { mode: 'auto-known' }, { isKnown: false }], false],
  ['a first-time buyer, and fresh money', [{}, {}, {}, { isFirst: true }], true],
  ['a first-time buyer, and money of an hour ago', [{}, { firstSeenAt: after(-1.01) }, {}, { isFirst: true }], false],
  ['a new payer, and money of an hour ago', [{}, { firstSeenAt: after(-1.01) }, {}, { knowsPayer: false }], false],
  ['a known payer, and money of an hour ago', [{}, { firstSeenAt: after(-1.01) }, {}, {}], true],
  ['the last rupees below the ceiling', [{}, { proof: 'alert' }, { unproven: 950_000 }, {}], true],
  ['one paisa above the ceiling', [{}, { proof: 'alert' }, { unproven: 950_001 }, {}], false],
  ['a statement at the ceiling', [{}, {}, { unproven: 1_000_000 }, {}], true],
])('by itself: %s', (_, [request, credit, rules, buyer], approves) => {
  const why = whyHeld(
    { ...REQUEST, ...request },
    { ...CREDIT, ...credit },
    { rules: { ...RULES, ...rules }, buyer: { ...BUYER, ...buyer } },
  )
  expect(why === undefined).toBe(approves)
})

const WEAKER = { statement: 'report', report: 'alert', alert: 'none', none: 'none' } as const

/** Each makes one input worse. */
const WORSE: ((all: All) => All)[] = [
  (all) => ({ ...all, request: { ...all.request, isOpen: false } }),
  (all) => ({ ...all, request: { ...all.request, isContested: true } }),
  (all) => ({ ...all, request: { ...all.request, amountPaise: all.credit.amountPaise + 1 } }),
  (all) => ({ ...all, credit: { ...all.credit, isTaken: true } }),
  (all) => ({ ...all, credit: { ...all.credit, kind: 'reversal' } }),
  (all) => ({ ...all, credit: { ...all.credit, feedsStore: false } }),
  (all) => ({ ...all, credit: { ...all.credit, refs: [] } }),
  (all) => ({ ...all, credit: { ...all.credit, differs: true } }),
  (all) => ({ ...all, credit: { ...all.credit, isOfAnother: true } }),
  (all) => ({ ...all, credit: { ...all.credit, at: after(73) } }),
  (all) => ({ ...all, credit: { ...all.credit, proof: WEAKER[all.credit.proof] } }),
  (all) => ({ ...all, credit: { ...all.credit, proof: 'none', isProposed: true } }),
  (all) => ({ ...all, credit: { ...all.credit, firstSeenAt: after(-9) } }),
  (all) => ({ ...all, rules: { ...all.rules, mode: 'propose' } }),
  (all) => ({ ...all, rules: { ...all.rules, trusts: 'statement' } }),
  (all) => ({ ...all, rules: { ...all.rules, unproven: all.rules.unproven + 100 } }),
  (all) => ({ ...all, rules: { ...all.rules, today: all.rules.today + 100 } }),
  (all) => ({ ...all, buyer: { ...all.buyer, isKnown: false } }),
  (all) => ({ ...all, buyer: { ...all.buyer, isFirst: true } }),
  (all) => ({ ...all, buyer: { ...all.buyer, knowsPayer: false } }),
  (all) => ({ ...all, buyer: { ...all.buyer, misses: all.buyer.misses + 1 } }),
]
interface All {
  request: MatchRequest
  credit: MatchCredit
  rules: Automation
  buyer: BuyerRecord
}
const strength = ({ request, credit }: All): number =>
  ['alert', 'confirmed'].indexOf(judge(request, credit).verdict) + 1

test.each(['propose', 'auto-known', 'auto'] as const)(
  'nothing that is only proposed is approved by itself: %s',
  (mode) => {
    for (const trusts of ['statement', 'phone'] as const)
      for (const proof of ['none', 'alert', 'report', 'statement'] as const)
        expect(
          whyHeld(REQUEST, { ...CREDIT, proof, isProposed: true }, { rules: { ...RULES, mode, trusts }, buyer: BUYER }),
        ).toBeDefined()
  },
)

test('one thing made worse never makes the verdict better, and never lets anything through', () => {
  const made = fc.record({
    request: fc.record({
      isOpen: fc.boolean(),
      isContested: fc.boolean(),
      amountPaise: fc.constantFrom(100, 50_000, 250_000),
    }),
    credit: fc.record({
      amountPaise: fc.constantFrom(100, 50_000, 250_000),
      proof: fc.constantFrom('none', 'alert', 'report', 'statement'),
      at: fc.constantFrom(null, after(-25), after(-1), after(70)),
      differs: fc.boolean(),
      isOfAnother: fc.boolean(),
      firstSeenAt: fc.constantFrom(AT, after(-2), after(2)),
    }),
    rules: fc.record({
      mode: fc.constantFrom('propose', 'auto-known', 'auto'),
      trusts: fc.constantFrom('statement', 'phone'),
      today: fc.constantFrom(0, 2_480_000),
      unproven: fc.constantFrom(0, 960_000),
    }),
    buyer: fc.record({
      today: fc.constantFrom(0, 480_000),
      isKnown: fc.boolean(),
      isFirst: fc.boolean(),
      knowsPayer: fc.boolean(),
      misses: fc.integer({ min: 0, max: 4 }),
    }),
  })
  fc.assert(
    fc.property(made, fc.constantFrom(...WORSE), (some, worsen) => {
      const all = {
        request: { ...REQUEST, ...some.request },
        credit: { ...CREDIT, ...some.credit },
        rules: { ...RULES, ...some.rules },
        buyer: some.buyer,
      } as All
      const worse = worsen(all)
      expect(strength(worse)).toBeLessThanOrEqual(strength(all))
      const held = whyHeld(all.request, all.credit, all)
      if (held !== undefined) expect(whyHeld(worse.request, worse.credit, worse)).toBeDefined()
    }),
    { numRuns: 3_000 },
  )
})
