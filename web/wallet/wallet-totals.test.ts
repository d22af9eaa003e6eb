import { expect, test } from 'vitest'
import { addUp, NO_TOTALS, totalUp } from './wallet-totals.ts'

const movement = (_id: string, delta: number) => ({ _id, delta })

/** Pages of two, newest first. */
function bookOf(movements: { _id: string; delta: number }[]) {
  const asked: (string | undefined)[] = []
  const readPage = (before: string | undefined) => {
    asked.push(before)
    const from = before === undefined ? 0 : movements.findIndex(({ _id }) => _id === before) + 1
    return Promise.resolve(movements.slice(from, from + 2))
  }
  return { asked, readPage }
}

test('what came in and what went out are added up to the paisa', () => {
  expect(addUp([movement('c', -0.1), movement('b', -0.2), movement('a', 0.7)])).toEqual({
    added: 0.7,
    used: 0.3,
    newestId: 'c',
  })
})

test('the whole history is read, in pages', async () => {
  const { asked, readPage } = bookOf([movement('c', -5), movement('b', 10), movement('a', 20)])

  expect(await totalUp(readPage, 2)).toEqual({ added: 30, used: 5, newestId: 'c' })
  expect(asked).toEqual([undefined, 'b'])
})

test('an empty history and one that ends with a full page end as well', async () => {
  expect(await totalUp(bookOf([]).readPage, 2)).toEqual(NO_TOTALS)
  expect(await totalUp(bookOf([movement('b', 1), movement('a', 2)]).readPage, 2)).toMatchObject({ added: 3 })
})

test('what is known is not read again', async () => {
  const { asked, readPage } = bookOf([movement('d', 7), movement('c', -5), movement('b', 10), movement('a', 20)])

  expect(await totalUp(readPage, 2, { added: 30, used: 5, newestId: 'c' })).toEqual({
    added: 37,
    used: 5,
    newestId: 'd',
  })
  expect(asked).toEqual([undefined])
})
