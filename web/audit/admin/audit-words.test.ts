import { expect, test } from 'vitest'
import { BankRules } from '../../../contract/bank-shapes.ts'
import { ADMIN_ROLES } from '../../../contract/endpoint.ts'
import { messages } from '../../../contract/messages.ts'
import { StoreSettings } from '../../../contract/settings.ts'
import { WaitingSettings } from '../../../contract/waiting.ts'
import { translator } from '../../../contract/words.ts'
import { speak } from '../../platform/i18n.ts'
import panel from '../../words/hi-panel.json' with { type: 'json' }
import buyers from '../../words/hi.json' with { type: 'json' }
import { actionText, changesOf, shortId, subjectOf } from './audit-words.ts'

const PRODUCT = '0199c1f0-7a5b-7c3d-9e2f-1a2b3c4d5e6f'
const UNKNOWN = '0199c1f0-7a5b-7c3d-9e2f-000000000000'
const NAMES = { [PRODUCT]: { kind: 'product', name: 'Orbit', detail: '' } } as const

test('only what differs is a change, with money in rupees and moments as dates', () => {
  expect(
    changesOf(
      { status: 'pending', amount: 5, disabledAt: null },
      { status: 'approved', amount: 5, credited: 1500, disabledAt: '2019-11-20T15:44:00.000Z' },
    ),
  ).toEqual([
    { field: 'Status', before: 'pending', after: 'approved' },
    { field: 'Disabled on', before: undefined, after: expect.stringMatching(/^20\sNov\s2019/) },
    { field: 'Credited', before: undefined, after: '₹1,500' },
  ])
})

test('a state, a role and a duration are told in the reader’s language', () => {
  speak('hi', translator('hi', new Map(Object.entries({ ...buyers, ...panel }))))
  try {
    for (const status of ['pending', 'approved', 'rejected', 'replaced', 'refunded'])
      expect(JSON.stringify(changesOf({}, { status }))).not.toMatch(/:"[A-Za-z]/)
    for (const role of ADMIN_ROLES) expect(JSON.stringify(changesOf({}, { role }))).not.toMatch(/:"[A-Za-z]/)
    const names = { [UNKNOWN]: { kind: 'price', name: 'Orbit, 10 Days', detail: '' } } as const
    const changes = changesOf({}, { priceId: UNKNOWN, customPrices: { 'Orbit, 10 Days': 90 } }, names)
    expect(changes.map(({ after }) => after)).toEqual(['Orbit, 10\u00A0दिन', 'Orbit, 10\u00A0दिन ₹90'])
  } finally {
    speak('en', translator('en'))
  }
})

test('what was made or deleted has one side', () => {
  expect(changesOf(null, { name: 'Orbit', hot: true, note: '' })).toEqual([
    { field: 'Name', before: undefined, after: 'Orbit' },
    { field: 'HOT SALE', before: undefined, after: 'Yes' },
  ])
  expect(changesOf({ unsold: 12_000 }, null)).toEqual([{ field: 'Unsold', before: '12,000', after: undefined }])
})

test('of a list only what came and went is told, by name and never by id', () => {
  const price = { _id: UNKNOWN, duration: '10 Days', price: 449, lowStockBelow: 5 }
  expect(changesOf({ prices: [price, { ...price, duration: '1 Year' }] }, { prices: [price] })).toEqual([
    { field: 'Prices', before: '1\u00A0Year ₹449 · Alert below 5', after: undefined },
  ])
  expect(
    changesOf(
      { customPrices: { 'Orbit, 10 Days': 100, 'Drift, 1 Day': 5 } },
      { customPrices: { 'Orbit, 10 Days': 90, 'Drift, 1 Day': 5 } },
    ),
  ).toEqual([{ field: 'Custom prices', before: 'Orbit, 10\u00A0Days ₹100', after: 'Orbit, 10\u00A0Days ₹90' }])
  expect(changesOf({ customPrices: {} }, { customPrices: { 'Drift, 1 Day': 0 } })).toEqual([
    { field: 'Custom prices', before: undefined, after: 'Drift, 1\u00A0Day ₹0' },
  ])
  expect(changesOf({ hiddenProducts: [PRODUCT] }, { hiddenProducts: [PRODUCT, UNKNOWN] }, NAMES)).toEqual([
    { field: 'Hidden products', before: undefined, after: shortId(UNKNOWN) },
  ])
  expect(changesOf({ hiddenProducts: [PRODUCT] }, { hiddenProducts: [PRODUCT] })).toEqual([])
})

test('an order of names is told whole, for only the order differs', () => {
  expect(changesOf(['Orbit', 'Drift'], ['Drift', 'Orbit'])).toEqual([
    { field: 'Display order', before: 'Orbit, Drift', after: 'Drift, Orbit' },
  ])
})

test('a subject is a name and an id, and one without an id stays as it is', () => {
  expect(subjectOf(`Orbit (Pro) (${PRODUCT})`)).toEqual({ text: 'Orbit (Pro)', id: PRODUCT })
  expect(subjectOf('Order of the products')).toEqual({ text: 'Order of the products', id: undefined })
})

test('what was done is said in words; what has none yet as it is written', () => {
  expect(actionText('payment.approve')).toBe('Top-up approved')
  expect(actionText('new.thing')).toBe('new.thing')
})

test('every setting has a name in words, so that none is made from its name in code', () => {
  const shapes = [BankRules, WaitingSettings, StoreSettings, messages.saveChannel.input].map(({ shape }) => shape)
  // A bot's token is a secret, and never in the log
  const fields = shapes.flatMap((shape) => Object.keys(shape)).filter((field) => field !== 'botToken')
  for (const field of fields.filter((each) => /[A-Z]|^(mode|trusts|decide)$/.test(each))) {
    const [change] = changesOf(null, { [field]: 'x' })
    const made = field.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
    expect(change?.field.toLowerCase(), field).not.toBe(made)
  }
})

test('an upload says what it brought in words, and not how the file was read', () => {
  const covers = { to: '2019-11-03', from: '2019-11-02' }
  const upload = { layout: 'hdfc', source: 'text', balances: 'proven', covers, credits: 1, new: 1, alarms: 0 }
  const words = new Map(Object.entries({ ...buyers, ...panel }))
  for (const [language, period] of [
    ['en', /^2\sNov\s2019 to 3\sNov\s2019$/],
    ['hi', /^2\sनव.* से 3\sनव.* तक$/],
  ] as const) {
    speak(language, translator(language, language === 'en' ? new Map() : words))
    const said = changesOf(null, upload)
    speak('en', translator('en'))
    expect(said.map(({ after }) => after)).toEqual([expect.stringMatching(period), '1', '1'])
    if (language === 'hi') expect(JSON.stringify(said.map(({ field }) => field))).not.toMatch(/[A-Za-z]/)
    else expect(said.map(({ field }) => field)).not.toContain('Sender address')
  }
})

test('what was made says only what it has; what is usual is said where it is not so', () => {
  const said = (before: unknown, after: unknown) => changesOf(before, after).map(({ field, after: is }) => [field, is])
  expect(said(null, { sold: false, lost: 0, count: 5, isListed: false })).toEqual([
    ['How many', '5'],
    ['Listed', 'No'],
  ])
  expect(said({ lost: 3, today: null }, { lost: 0, today: 0, loss: 0, codeUntil: '2019-11-02' })).toEqual([
    ['Lost to the store', '₹0'],
    ['Approved automatically today', '₹0'],
    ['Valid till', expect.stringMatching(/^2\sNov\s2019$/)],
  ])
})

test('what comes with a key is named as on the product’s form', () => {
  const changes = changesOf({}, { instructions: 'Start it', downloadUrl: 'https://a.example' })
  expect(changes.map(({ field }) => field)).toEqual(['How to activate', 'Download link'])
})

test('limits are in rupees, and choices in the words of their screen', () => {
  const rules = { mode: 'auto-known', trusts: 'phone', perDay: 20_000, unprovenMax: 500 }
  expect(changesOf({ ...rules, mode: 'propose', perDay: 10_000 }, rules)).toEqual([
    { field: 'Approved automatically', before: 'Nothing', after: 'Buyers with a confirmed payment' },
    { field: 'Limit per day', before: '₹10,000', after: '₹20,000' },
  ])
})
