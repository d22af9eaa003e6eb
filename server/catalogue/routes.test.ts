import { expect, test } from 'vitest'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'

/** Returns the names of all members, at any depth. */
function membersOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...membersOf(inner),
  ])
}

test('a visitor sees the products and the stock, and no price anywhere', () =>
  withStore(async (store) => {
    const { product, visitor } = await openShop(store)
    await product({ stock: 2, prices: { '1 Day': 123.45, '1 Month': 678.9 } })

    const { status, body } = await visitor().get('/products')

    expect(status).toBe(200)
    expect(body).toMatchObject([
      { available: 4, prices: [{ duration: '1 Day', available: 2 }, { duration: '1 Month' }] },
    ])
    expect(membersOf(body)).not.toContain('price')
    expect(membersOf(body)).not.toContain('listPrice')
    expect(JSON.stringify(body)).not.toMatch(/123|678/)
  }))

test('what has no price is not for sale, and none of its stock is counted for those who could buy it', () =>
  withStore(async (store) => {
    const { owner, product, buyer, visitor } = await openShop(store)
    const { _id: productId } = await product({ stock: 2, prices: { '1 Day': 0, '1 Month': 500 } })
    const person = await buyer()

    const counts = async (who: { get(path: string): Promise<{ body: unknown }> }) =>
      (await who.get('/products')).body as { available: number; prices: { available: number }[] }[]
    const seen = async (who: Parameters<typeof counts>[0]) => {
      const [shown] = await counts(who)
      return [shown?.available, ...(shown?.prices.map(({ available }) => available) ?? [])]
    }
    expect(await seen(visitor())).toEqual([2, 0, 2])
    expect(await seen(owner)).toEqual([4, 2, 2])
    await owner.api.users.update({
      id: person.id,
      customPrices: [
        { productId, duration: '1 Day', price: 80 },
        { productId, duration: '1 Month', price: 0 },
      ],
    })
    expect(await seen(person)).toEqual([2, 2, 0])
    expect((await visitor().get('/keys/all-stats')).body).toMatchObject({
      [`${productId}_1 Day`]: { available: 0 },
      [`${productId}_1 Month`]: { available: 2 },
    })
  }))

test('a user sees what they pay; with an admin session in the same browser, the list prices', () =>
  withStore(async (store) => {
    const { owner, product, buyer } = await openShop(store)
    const { _id: productId } = await product({ prices: { '1 Day': 100, '1 Month': 500 } })
    const person = await buyer()
    await owner.api.users.update({ id: person.id, customPrices: [{ productId, duration: '1 Month', price: '80.5' }] })

    const [own] = (await person.get('/products')).body
    expect(own).toMatchObject({
      price: 80.5,
      prices: [
        { duration: '1 Day', price: 100, listPrice: 100 },
        { duration: '1 Month', price: 80.5, listPrice: 500 },
      ],
    })

    for (const [name, value] of owner.cookies) if (!person.cookies.has(name)) person.cookies.set(name, value)
    const [asAdmin] = (await person.get('/products')).body
    expect(asAdmin).toMatchObject({ price: 100, prices: [{ price: 100 }, { price: 500 }] })
  }))

test('a form that cannot be saved is refused field by field', () =>
  withStore(async (store) => {
    const { owner, product } = await openShop(store)
    const { name } = await product()
    const save = (body: object) =>
      owner.post('/products', { name: 'New', description: '', prices: [{ duration: '1 Day', price: 1 }], ...body })

    for (const [body, field] of [
      [{ name: '  ' }, 'name'],
      [{ prices: [] }, 'prices'],
      [{ prices: [{ duration: '0 Days', price: 1 }] }, 'prices.0.duration'],
      [{ prices: [{ duration: 'ten days', price: 1 }] }, 'prices.0.duration'],
      [{ prices: [{ duration: '1 Day', price: -1 }] }, 'prices.0.price'],
      [{ prices: [{ duration: '1 Day', price: 'free' }] }, 'prices.0.price'],
      [
        {
          prices: [
            { duration: '1 Day', price: 1 },
            { duration: '1days', price: 2 },
          ],
        },
        'prices',
      ],
    ] as const)
      expect(await save(body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } },
      })
    const many = Array.from({ length: 51 }, (_, nth) => ({ duration: `${nth + 1} Days`, price: 1 }))
    expect((await save({ prices: many })).body).toMatchObject({ fields: { prices: 'Add up to 50 durations' } })
    expect(await save({ name: name.toUpperCase() })).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN' } })
    expect(await save({ prices: [{ duration: '1day', price: '99.50' }] })).toMatchObject({
      status: 201,
      body: { prices: [{ duration: '1 Day', price: 99.5, listPrice: 99.5, available: 0 }] },
    })
  }))

test('a change leaves what it does not name as another admin has it by then', () =>
  withStore(async (store) => {
    const { owner, product } = await openShop(store)
    const { _id: id, name, prices } = await product({ prices: { '10 Days': 100, '1 Month': 300 } })
    const put = (body: object) => owner.put(`/products/${id}`, body)
    const [tenDays] = prices
    await put({ name, description: 'By another', prices: [{ _id: tenDays?._id, duration: '2 Weeks', price: 90 }] })
    const changed = { name, description: 'By another', prices: [{ duration: '2 Weeks', price: 90 }] }

    expect(await put({ hot: true })).toMatchObject({ status: 200, body: { ...changed, hot: true } })
    expect(await put({})).toMatchObject({ status: 200, body: { ...changed, hot: true } })
    expect(await put({ description: '' })).toMatchObject({
      status: 200,
      body: { ...changed, description: '', hot: true },
    })
    expect(await put({ name: 'Other', hot: false })).toMatchObject({ body: { name: 'Other', hot: false } })
    const whole = { name, description: 'Whole', hot: true, prices: [{ duration: '1 Year', price: 900 }] }
    expect(await put(whole)).toMatchObject({ status: 200, body: whole })

    for (const [body, field] of [
      [{ name: '' }, 'name'],
      [{ name: null }, 'name'],
      [{ prices: [] }, 'prices'],
      [{ hot: 'maybe' }, 'hot'],
    ] as const)
      expect(await put(body)).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
    const { entries } = await owner.api.reports.audit({ action: 'product.update', limit: 1 })
    expect(entries).toMatchObject([{ subject: `${name} (${id})`, before: { hot: false }, after: { hot: true } }])
  }))

test('a removed product keeps its name in what was bought, and its stock out of the shop', () =>
  withStore(async (store) => {
    const { owner, product, buyer } = await openShop(store)
    const { _id: productId, name } = await product({ stock: 2 })
    const person = await buyer({ balance: 100 })
    await person.api.orders.place({ productId, duration: '10 Days', quantity: 1 })

    expect(await owner.delete(`/products/${productId}`)).toMatchObject({ status: 200 })

    expect((await person.get('/products')).body).toEqual([])
    expect((await person.get('/keys/user')).body).toMatchObject([{ productId: { _id: productId, name } }])
    expect((await owner.get(`/keys?productId=${productId}&status=available`)).body).toHaveLength(1)
    expect(await owner.delete(`/products/${productId}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await owner.delete('/products/12')).toMatchObject({ status: 400 })
  }))

test('nobody but an admin changes the catalogue', () =>
  withStore(async (store) => {
    const { product, buyer, visitor } = await openShop(store)
    const { _id: id } = await product()
    const body = { name: 'X', prices: [{ duration: '1 Day', price: 1 }] }

    for (const [browser, status, code] of [
      [visitor(), 401, 'NO_SESSION'],
      [await buyer(), 403, 'ADMIN_REQUIRED'],
    ] as const) {
      for (const answer of [
        await browser.post('/products', body),
        await browser.put(`/products/${id}`, body),
        await browser.put('/products/order', { productIds: [] }),
        await browser.delete(`/products/${id}`),
      ])
        expect(answer).toMatchObject({ status, body: { code } })
    }
  }))

test('what comes with a key is read by who bought one and by admins, in today’s words, until the key expires', () =>
  withStore(async (store) => {
    const { owner, product, buyer, visitor } = await openShop(store)
    const { _id: id } = await product({ stock: 1, prices: { '1 Day': 10 } })
    const [person, other] = [await buyer({ balance: 100 }), await buyer()]
    const use = { instructions: 'Paste it.\nSee https://a.example', downloadUrl: 'https://a.example/get' }
    expect(await owner.put(`/products/${id}`, use)).toMatchObject({ status: 200, body: use })
    const bought = await person.api.orders.place({ productId: id, duration: '1 Day', quantity: 1 })

    expect((await person.get('/keys/user')).body).toMatchObject([use])
    expect((await person.get('/auth/my-data')).body).toMatchObject({ keys: [use] })
    for (const text of [
      JSON.stringify(bought),
      ...[person, other, visitor()].map(async (who) => JSON.stringify((await who.get('/products')).body)),
    ])
      expect(await text).not.toMatch(/Paste it|a\.example/)

    await owner.put(`/products/${id}`, { instructions: 'Type it.', downloadUrl: '' })
    expect((await owner.get('/products')).body).toMatchObject([{ instructions: 'Type it.', downloadUrl: '' }])
    const [key] = await person.api.keys.mine()
    expect(key).toMatchObject({ instructions: 'Type it.' })
    expect(key).not.toHaveProperty('downloadUrl')

    store.clock.advance(25 * 3_600_000)
    expect((await person.api.keys.mine())[0]).not.toHaveProperty('instructions')
  }))

test.each([
  ['downloadUrl', 'http://a.example'],
  ['downloadUrl', 'javascript:alert(1)//https://a.example'],
  ['downloadUrl', 'https://a.example/\u202ecod.exe'],
  ['downloadUrl', 'https://'],
  ['downloadUrl', `https://a.example/${'x'.repeat(500)}`],
  ['instructions', 'x'.repeat(2_001)],
  ['instructions', 'a\u0007b'],
])('what comes with a key is refused: %s %j', (field, text) =>
  withStore(async (store) => {
    const { owner, product } = await openShop(store)
    const { _id: id } = await product()
    expect(await owner.put(`/products/${id}`, { [field]: text })).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
    expect((await owner.get('/products')).body).toMatchObject([{ instructions: '', downloadUrl: '' }])
  }),
)
