import { sql } from '../../../server/platform/database/database.ts'
import { unique } from '../../worlds/constants.ts'
import type { Shop } from '../../worlds/shop.ts'
import { unproven } from '../../worlds/admins.ts'
import { DURATION, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

const secret = `chaabi_${'a'.repeat(43)}`
const form = () => ({ name: unique('Supplier '), address: 'https://keys.example', secret, dayMax: 500 })
const theirs = { product: missing(), name: 'Theirs', duration: DURATION, paise: 8_000, stock: 9 }

const template = {
  method: 'POST' as const,
  url: 'https://depot.example/buy',
  headers: 'X-Api-Key: {secret}',
  body: '{"item": "{sku}", "ref": "{order}"}',
  keyAt: '/key',
  costAt: '',
  noneIf: 'SOLD_OUT',
  okIf: '',
  repeats: true,
}
const apiForm = () => ({ ...template, name: unique('Depot '), secret: 'a secret', dayMax: 500 })
const trial = { ...template, answer: '{"key": "NC-7F2K"}' }

/** A supplier with an API of its own, and what is bought there. */
async function described(shop: Shop) {
  const { _id: linkId } = await shop.owner.api.supply.addApi(apiForm())
  const product = await shop.product()
  return { linkId, priceId: product.prices[0]?._id ?? '', sku: 'NC-10', max: 100, keep: 0 }
}

/** A supplier whose list was read. */
async function linked(shop: Shop) {
  const link = await shop.owner.api.supply.addLink(form())
  await shop.store.db.run(sql`
    update supply_links set products = ${JSON.stringify([theirs])}::jsonb, balance_paise = 100000
     where id = ${link._id}`)
  const product = await shop.product()
  const source = {
    priceId: product.prices[0]?._id ?? '',
    linkId: link._id,
    theirProduct: theirs.product,
    theirDuration: DURATION,
    max: 100,
    keep: 0,
  }
  return { id: link._id, source }
}

/** A duration that is bought there. */
async function filled(shop: Shop) {
  const { id, source } = await linked(shop)
  await shop.owner.api.supply.saveSource(source)
  return { id, source, priceId: source.priceId }
}

/** An order that was sent. */
async function asked(shop: Shop): Promise<string> {
  const { priceId } = await filled(shop)
  const { _id: id } = await shop.owner.api.supply.order({ priceId, quantity: 2 })
  await shop.store.db.run(sql`update supply_orders set state = 'asked', tries = 1 where id = ${id}`)
  return id
}

/** A key of an order, which its buyer has claimed. */
async function claimed(shop: Shop): Promise<string> {
  const { id, source } = await linked(shop)
  const product = await shop.product({ stock: 1 })
  const buyer = await shop.buyer({ balance: 1_000 })
  await buyer.api.orders.place({ productId: product._id, duration: DURATION, quantity: 1 })
  const [key] = await buyer.api.keys.mine()
  const claim = await buyer.api.claims.open({ keyId: key?._id ?? '', reason: 'never-worked' })
  const orderId = missing()
  await shop.store.db.run(sql`
    insert into supply_orders (id, link_id, price_id, duration, their_product, their_duration, quantity, cap_paise,
                               state, tries, next_at, came, unit_paise, their_order, created_at, ended_at)
    values (${orderId}, ${id}, ${product.prices[0]?._id}, ${DURATION}, ${source.theirProduct}, ${DURATION}, 1, 9000,
            'came', 1, now(), 1, 8000, 'theirs', now(), now())`)
  await shop.store.db.run(sql`insert into supply_keys (key_id, order_id) values (${key?._id}, ${orderId})`)
  return claim._id
}

export const supply: Walk<'supply'> = {
  succeed: {
    links: async (shop) => {
      await linked(shop)
      return shop.owner.get('/supply/links')
    },
    addLink: (shop) => shop.owner.post('/supply/links', { ...form(), low: 100 }),
    changeLink: async (shop) =>
      shop.owner.put(`/supply/links/${(await linked(shop)).id}`, { dayMax: '600', on: false }),
    check: (shop) => shop.owner.post('/supply/links/check', { address: 'https://keys.invalid', secret }),
    addApi: (shop) => shop.owner.post('/supply/links/api', apiForm()),
    changeApi: async (shop) =>
      shop.owner.put(`/supply/links/${(await described(shop)).linkId}/api`, { noneIf: 'NONE_LEFT' }),
    try: (shop) => shop.owner.post('/supply/links/try', trial),
    theirs: async (shop) => shop.owner.get(`/supply/links/${(await linked(shop)).id}/products`),
    sources: async (shop) => {
      await filled(shop)
      return shop.owner.get('/supply/sources')
    },
    saveSource: async (shop) => {
      const { source } = await linked(shop)
      return shop.owner.put(`/supply/sources/${source.priceId}`, source)
    },
    saveSku: async (shop) => {
      const source = await described(shop)
      return shop.owner.put(`/supply/sources/${source.priceId}/sku`, source)
    },
    removeSource: async (shop) => shop.owner.delete(`/supply/sources/${(await filled(shop)).priceId}`),
    orders: async (shop) => {
      await asked(shop)
      return shop.owner.get('/supply/orders?state=open&limit=10')
    },
    order: async (shop) => shop.owner.post('/supply/orders', { priceId: (await filled(shop)).priceId, quantity: 1 }),
    settle: async (shop) => shop.owner.put(`/supply/orders/${await asked(shop)}`, {}),
    claimThere: async (shop) => shop.owner.get(`/claims/${await claimed(shop)}/supplier`),
    reportThere: async (shop) => shop.owner.post(`/claims/${await claimed(shop)}/supplier`),
  },
  refuse: {
    addLink: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).post('/supply/links', form()),
      URL_REFUSED: (shop) => shop.owner.post('/supply/links', { ...form(), address: 'http://keys.example' }),
    },
    changeLink: {
      STEP_UP_REQUIRED: async (shop) => {
        const { id } = await linked(shop)
        return (await unproven(shop)).put(`/supply/links/${id}`, { on: false })
      },
      URL_REFUSED: async (shop) =>
        shop.owner.put(`/supply/links/${(await linked(shop)).id}`, { address: 'https://10.0.0.1', secret }),
      NOT_FOUND: (shop) => shop.owner.put(`/supply/links/${missing()}`, { on: true }),
    },
    check: {
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).post('/supply/links/check', { address: 'https://keys.example', secret }),
      URL_REFUSED: (shop) => shop.owner.post('/supply/links/check', { address: 'https://a:b@keys.example', secret }),
    },
    addApi: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).post('/supply/links/api', apiForm()),
      URL_REFUSED: (shop) => shop.owner.post('/supply/links/api', { ...apiForm(), url: 'https://10.0.0.1/{sku}' }),
    },
    changeApi: {
      STEP_UP_REQUIRED: async (shop) => {
        const { linkId } = await described(shop)
        return (await unproven(shop)).put(`/supply/links/${linkId}/api`, { repeats: false })
      },
      URL_REFUSED: async (shop) =>
        shop.owner.put(`/supply/links/${(await described(shop)).linkId}/api`, { url: 'http://depot.example' }),
      NOT_FOUND: (shop) => shop.owner.put(`/supply/links/${missing()}/api`, { repeats: false }),
    },
    try: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).post('/supply/links/try', trial),
      URL_REFUSED: (shop) => shop.owner.post('/supply/links/try', { ...trial, url: 'https://localhost/buy' }),
    },
    theirs: { NOT_FOUND: (shop) => shop.owner.get(`/supply/links/${missing()}/products`) },
    saveSource: {
      NOT_FOUND: async (shop) => {
        const { source } = await linked(shop)
        return shop.owner.put(`/supply/sources/${source.priceId}`, { ...source, theirProduct: missing() })
      },
      SOURCE_TAKEN: async (shop) => {
        const { source } = await filled(shop)
        const other = (await shop.product()).prices[0]?._id ?? ''
        return shop.owner.put(`/supply/sources/${other}`, { ...source, priceId: other })
      },
    },
    saveSku: {
      NOT_FOUND: async (shop) => {
        const source = await described(shop)
        return shop.owner.put(`/supply/sources/${source.priceId}/sku`, { ...source, linkId: missing() })
      },
      SOURCE_TAKEN: async (shop) => {
        const source = await described(shop)
        await shop.owner.api.supply.saveSku(source)
        const priceId = (await shop.product()).prices[0]?._id ?? ''
        return shop.owner.put(`/supply/sources/${priceId}/sku`, { ...source, priceId })
      },
    },
    removeSource: { NOT_FOUND: (shop) => shop.owner.delete(`/supply/sources/${missing()}`) },
    order: {
      STEP_UP_REQUIRED: async (shop) => {
        const { priceId } = await filled(shop)
        return (await unproven(shop)).post('/supply/orders', { priceId, quantity: 1 })
      },
      NOT_FOUND: (shop) => shop.owner.post('/supply/orders', { priceId: missing(), quantity: 1 }),
      NOT_FETCHABLE: async (shop) =>
        shop.owner.post('/supply/orders', { priceId: (await filled(shop)).priceId, quantity: 10 }),
      DAY_SPENT: async (shop) =>
        shop.owner.post('/supply/orders', { priceId: (await filled(shop)).priceId, quantity: 6 }),
    },
    reportThere: { NOT_FOUND: (shop) => shop.owner.post(`/claims/${missing()}/supplier`) },
    settle: {
      STEP_UP_REQUIRED: async (shop) => {
        const id = await asked(shop)
        return (await unproven(shop)).put(`/supply/orders/${id}`, {})
      },
      NOT_FOUND: (shop) => shop.owner.put(`/supply/orders/${missing()}`, {}),
      DUPLICATE_KEYS: async (shop) => {
        const { keyTexts } = await shop.product({ stock: 1 })
        return shop.owner.put(`/supply/orders/${await asked(shop)}`, { keys: keyTexts })
      },
      PRODUCT_NOT_FOUND: async (shop) => {
        const id = await asked(shop)
        await shop.store.db.run(sql`
          update prices set removed_at = now() where id = (select price_id from supply_orders where id = ${id})`)
        return shop.owner.put(`/supply/orders/${id}`, { keys: [unique('S-')] })
      },
    },
  },
}
