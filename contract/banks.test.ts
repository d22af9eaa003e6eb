import { expect, test } from 'vitest'
import { BANKS, bankKey } from './banks.ts'

test('each bank is found by its key, its name and what people call it, however it is spelt', () => {
  const spellings = BANKS.flatMap(({ key, name, aliases }) =>
    [key, name, ...aliases].flatMap((one) =>
      [one, one.toUpperCase(), ` ${one.toLowerCase()} Ltd. `].map((text) => [key, text]),
    ),
  )
  expect(spellings.filter(([key, text = '']) => bankKey(text) !== key)).toEqual([])
})

test.each([
  ['HDFC current account', 'HDFC'],
  ['The Federal Bank Limited', 'Federal'],
  ['State Bank of India', 'SBI'],
  ['J & K Bank', 'Jammu & Kashmir'],
  ['Punjab and Sind Bank', 'PSB'],
  ['BOB', 'Bank of Baroda'],
  ['Bank of India', 'Bank of India'],
  ['City Union Bank', 'City Union'],
  ['Union Bank', 'Union'],
])('"%s" is %s', (spelt, key) => expect(bankKey(spelt)).toBe(key))

test.each(['', 'My bank', 'Indian Co-operative Bank', 'Other bank', 'Bank', 'PhonePe'])(
  '"%s" is of no known bank',
  (spelt) => expect(bankKey(spelt)).toBeUndefined(),
)

test('there are sixty banks, no two of one key, IFSC or sender', () => {
  const all = (of: (bank: (typeof BANKS)[number]) => readonly string[]) => BANKS.flatMap((bank) => of(bank))
  expect(BANKS).toHaveLength(60)
  for (const texts of [all(({ key }) => [key]), all(({ ifsc }) => [ifsc]), all(({ senders }) => senders)])
    expect(new Set(texts).size).toBe(texts.length)
  expect(all(({ senders }) => senders).filter((sender) => !/^[A-Z]{6}$/.test(sender))).toEqual([])
  expect(all(({ ifsc }) => [ifsc]).filter((ifsc) => !/^[A-Z]{4}$/.test(ifsc))).toEqual([])
})

/** Seen in 2025 and 2026, most of them one letter apart from another one. */
test.each([
  ['KOTAKD', 'Kotak'],
  ['SLCBNK', 'slice'],
  ['SLICEI', 'slice'],
  ['ATMSBI', 'SBI'],
  ['SBIBNK', 'SBI'],
  ['FEDFIB', 'Federal'],
  ['FEDSMS', 'Federal'],
  ['FEDSCP', 'Federal'],
  ['JTEDGE', 'Federal'],
  ['DCBANK', 'DCB'],
  ['BOIBNK', 'Bank of India'],
  ['PNBBNK', 'PNB'],
  ['KELBNK', 'Kerala Gramin'],
])('%s is a sender of %s', (sender, key) =>
  expect(BANKS.find(({ senders }) => senders.includes(sender))?.key).toBe(key),
)
