import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import type { Product } from '../../contract/catalogue.ts'
import type { User } from '../../contract/users.ts'

const USER: Pick<User, 'id' | 'customPrices' | 'hiddenProducts'> = {
  id: 'u1',
  customPrices: [{ productId: 'A', duration: '1 Day', price: 15 }],
  hiddenProducts: ['B'],
}

function givenProduct(name: string, price: number, rest: Partial<Product> = {}): Product {
  const prices = [{ _id: `${name}1`, duration: '1 Day', price, available: 5 }]
  return { _id: name, name, description: '', hot: false, available: 5, sequence: 1, price, prices, ...rest }
}

/** Returns the products that this buyer's page shows for an answer. The page knows of no admin. */
async function shownOf(answer: Product[]) {
  vi.resetModules()
  // The page's modules read this while they load.
  vi.stubGlobal('__ENDPOINTS__', {})
  const [{ useProducts }, { drawFor }, { createQueries }] = await Promise.all([
    import('./use-products.ts'),
    import('../platform/session/session.ts'),
    import('../platform/calls/queries.ts'),
  ])
  drawFor(USER as User, null)
  const client = createQueries()
  client.setQueryData(['catalogue', 'products'], answer)
  const see = vi.fn<(products: readonly Product[] | undefined) => void>()
  const Reader = () => {
    see(useProducts().data)
    return null
  }
  renderToString(createElement(QueryClientProvider, { client }, createElement(Reader)))
  client.clear()
  drawFor(null, null)
  return see.mock.lastCall?.[0]?.map(({ name, price, prices }) => [name, price, prices[0]?.price])
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('an answer for admins, who have logged in in another tab, is shown as the buyer sees it', async () => {
  const listed = { isListed: true }
  const answer = [
    givenProduct('A', 20, listed),
    givenProduct('B', 30, listed),
    givenProduct('C', 5, { isListed: false }),
  ]
  expect(await shownOf(answer)).toEqual([['A', 15, 15]])
})

test('an answer for the buyer is shown as it came', async () => {
  // This answer is newer than the terms in the session.
  expect(await shownOf([givenProduct('A', 12), givenProduct('B', 30)])).toEqual([
    ['A', 12, 12],
    ['B', 30, 30],
  ])
})
