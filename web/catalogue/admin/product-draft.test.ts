import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Product } from '../../../contract/catalogue.ts'
import {
  changeOf,
  consequencesOf,
  draftOf,
  termsOf,
  type ProductDraft,
  replacedBy,
  withDuration,
} from './product-draft.ts'
import { ProductInput, repeatedIn } from './product-input.ts'
import { inOrder, moved } from './product-reorder.ts'
import { belongsTo, worstStock } from './product-stock.ts'

const product: Product = {
  _id: 'p',
  name: 'Orbit Arena Pro',
  description: '',
  hot: false,
  available: 43,
  sequence: 1,
  prices: [
    { _id: 'a', duration: '10 Days', price: 199, listPrice: 199, available: 42, lowStockBelow: 50 },
    { _id: 'b', duration: '1 Month', price: 499, listPrice: 499, available: 1, lowStockBelow: 0 },
  ],
}
const faults = (draft: ProductDraft) =>
  Object.fromEntries(
    z.safeParse(ProductInput, draft).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [],
  )
const row = (duration: string, price: string, key = 0) => ({
  key,
  duration,
  price,
  lowStockBelow: '5',
  limit: '',
  steps: [],
})

test('a product is sent as it was read, with the ids that carry its stock', () => {
  expect(termsOf(draftOf(product)).prices).toEqual([
    { _id: 'a', duration: '10 Days', price: 199, lowStockBelow: '50', perBuyer: null, trial: false, steps: [] },
    { _id: 'b', duration: '1 Month', price: 499, lowStockBelow: '0', perBuyer: null, trial: false, steps: [] },
  ])
})

test('of a product that was opened, what the draft changes is sent and nothing else', () => {
  const draft = draftOf(product)
  expect(changeOf(product, draft)).toEqual({})
  expect(changeOf(product, { ...draft, name: ' Orbit ', hot: true })).toEqual({ name: 'Orbit', hot: true })
  const [first, second] = draft.prices
  expect(changeOf(product, { ...draft, prices: [{ ...first!, price: '189' }, second!] })).toEqual({
    prices: [
      { _id: 'a', duration: '10 Days', price: 189, lowStockBelow: '50', perBuyer: null, trial: false, steps: [] },
      { _id: 'b', duration: '1 Month', price: 499, lowStockBelow: '0', perBuyer: null, trial: false, steps: [] },
    ],
  })
})

test('days of reminders are sent as chosen, and as null for the usual ones', () => {
  const draft = draftOf(product)
  expect([draft.remindDays, termsOf(draft).remindDays]).toEqual(['', null])
  expect(changeOf(product, { ...draft, remindDays: '0' })).toEqual({ remindDays: '0' })
  const never = { ...product, remindDays: 0 }
  expect(draftOf(never).remindDays).toBe('0')
  expect(changeOf(never, draftOf(never))).toEqual({})
  expect(changeOf(never, { ...draftOf(never), remindDays: '' })).toEqual({ remindDays: null })
})

test('who would save over what was changed elsewhere meanwhile is told so', () => {
  const [tenDays, month] = product.prices
  const latest = { ...product, name: 'Orbit', prices: [{ ...tenDays!, price: 209, listPrice: 209 }, month!] }
  const draft = draftOf(product)
  const said =
    'Someone else changed this while you were editing: Name, Durations and prices. Saving will overwrite their changes.'
  const dearer = { ...draft, name: 'Orbit Arena', prices: [draft.prices[0]!, { ...draft.prices[1]!, price: '599' }] }

  expect(replacedBy(dearer, product, latest)).toBe(said)
  expect(replacedBy({ ...draft, description: 'Only this' }, product, latest)).toBeUndefined()
  expect(replacedBy({ ...draft, name: 'Orbit' }, product, latest), 'the same change').toBeUndefined()
  expect(replacedBy(dearer, product, { ...product, available: 1 }), 'sold meanwhile').toBeUndefined()
  expect(replacedBy(dearer, product, undefined), 'deleted meanwhile').toBeUndefined()

  const longer = { ...draft, prices: [...draft.prices, row('1 Year', '900', 2)] }
  const ours = { _id: 'c', duration: '1 Year', price: 900, listPrice: 900, available: 0, lowStockBelow: 5 }
  const saved = { ...product, prices: [...product.prices, ours] }
  expect(replacedBy(longer, product, saved), 'its own save, of which the answer was lost').toBeUndefined()
})

test('a new product asks for a name, a duration and a price', () => {
  expect(faults(draftOf())).toEqual({
    name: 'Name is required',
    'prices.0.duration': 'Enter a duration like 10 Days, 5 Months or 1 Year',
    'prices.0.price': 'Enter a price from ₹0',
  })
  expect(faults({ ...draftOf(product), prices: [] })).toEqual({ prices: 'Add at least one duration' })
})

test('two spellings of one duration are the same duration, which its row says', () => {
  const prices = [row('30 days', '1'), row('30DAY', '2', 1)]
  expect(faults({ ...draftOf(product), prices })).toEqual({ prices: 'Each duration can be added only once' })
  expect(repeatedIn(prices)).toEqual({ 'prices.1.duration': '30\u00A0Days is already added', prices: undefined })
})

test('a quick pick fills the empty row, and then adds rows', () => {
  const one = withDuration([row('', '')], '10 Days')
  expect(one).toEqual([row('10 Days', '')])
  expect(withDuration(one, '1 Year')).toEqual([row('10 Days', ''), row('1 Year', '', 1)])
})

test('renaming and removing say what becomes of the stock', () => {
  const { prices: rows } = draftOf(product)
  expect(consequencesOf(product, rows)).toEqual([])
  expect(consequencesOf(product, [{ ...rows[0]!, duration: '2 Weeks' }])).toEqual([
    '42 unsold 10\u00A0Days keys will now be sold as 2\u00A0Weeks.',
    '1\u00A0Month will be removed from the store. ' +
      '1 unsold key is kept, and can be sold if you add this duration again.',
  ])
})

test('the mark for low stock is a whole number of keys, or nothing', () => {
  const faultOf = (lowStockBelow: string) =>
    faults({ ...draftOf(product), prices: [{ ...row('1 Year', '1'), lowStockBelow }] })['prices.0.lowStockBelow']
  expect(['', ' 12 ', '0'].map(faultOf)).toEqual([undefined, undefined, undefined])
  expect(faultOf('few')).toBe('Enter a whole number, or 0 for no alert')
})

test('stock is judged by the duration that stands worst', () => {
  expect(worstStock(product)).toBe('low')
  expect(belongsTo('low', product)).toBe(true)
  expect(belongsTo('out', product)).toBe(false)
})

test('rows move by place', () => {
  const ids = ['a', 'b', 'c', 'd']
  expect(moved(ids, 'c', 0)).toEqual(['c', 'a', 'b', 'd'])
  expect(moved(ids, 'a', 9)).toEqual(['b', 'c', 'd', 'a'])
  expect(moved(ids, 'a', 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(inOrder(['a', 'b', 'new'], ['b', 'a'])).toEqual(['b', 'a', 'new'])
})
