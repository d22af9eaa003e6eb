import { ADMIN_ROLES } from '../../../contract/endpoint.ts'
import { unproven } from '../../worlds/admins.ts'
import { unique } from '../../worlds/constants.ts'
import type { Places, Roles } from '../../leaks/places.ts'
import { DURATION, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

/** What buyers get with a key, and admins edit. */
const use = (roles: Roles): Places => ({ instructions: roles })

/** Cheaper from a quantity on. */
const STEPPED = { duration: '2 Days', price: '30', steps: [{ from: '5', price: '19.99' }] }

export const catalogue: Walk<'catalogue'> = {
  succeed: {
    list: (shop) => shop.visitor().get('/products'),
    create: (shop) =>
      shop.owner.post('/products', {
        name: unique('Game '),
        description: '',
        nameHi: 'गेम',
        descriptionHi: 'एक गेम',
        instructionsHi: 'https://game.example खोलें और key डालें।',
        prices: [{ duration: '1day', price: '19.99', perBuyer: '1', trial: true }, STEPPED],
        hot: true,
        instructions: 'Open https://game.example and paste the key.',
        downloadUrl: 'https://game.example/download',
        isListed: true,
        remindDays: 7,
      }),
    update: async (shop) => {
      const { _id, prices } = await shop.product({ stock: 1 })
      return shop.owner.put(`/products/${_id}`, {
        name: unique('Renamed '),
        prices: [{ _id: prices[0]?._id, duration: '2 Weeks', price: 5 }],
      })
    },
    duplicate: async (shop) => shop.owner.post(`/products/${(await shop.product())._id}/duplicate`),
    reprice: async (shop) => {
      const { prices } = await shop.product()
      return shop.owner.post('/products/reprice', { priceIds: prices.map(({ _id }) => _id), percent: '10' })
    },
    remove: async (shop) => shop.owner.delete(`/products/${(await shop.product())._id}`),
    restore: async (shop) => {
      const { _id } = await shop.product()
      await shop.owner.api.catalogue.remove({ id: _id })
      return shop.owner.post(`/products/${_id}/restore`)
    },
    reorder: async (shop) => shop.owner.put('/products/order', { productIds: [(await shop.product())._id] }),
  },
  refuse: {
    create: {
      NAME_TAKEN: async (shop) =>
        shop.owner.post('/products', {
          name: (await shop.product()).name.toUpperCase(),
          prices: [{ duration: DURATION, price: 1 }],
        }),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop, 'stock')).post('/products', {
          name: unique('Pay thief@okaxis '),
          prices: [{ duration: DURATION, price: 1 }],
        }),
    },
    update: {
      NOT_FOUND: (shop) =>
        shop.owner.put(`/products/${missing()}`, { name: unique('Game '), prices: [{ duration: DURATION, price: 1 }] }),
      NAME_TAKEN: async (shop) => {
        const { name } = await shop.product()
        return shop.owner.put(`/products/${(await shop.product())._id}`, {
          name,
          prices: [{ duration: DURATION, price: 1 }],
        })
      },
      STEP_UP_REQUIRED: async (shop) => {
        const { _id, name } = await shop.product({ prices: { [DURATION]: 100 } })
        return (await unproven(shop)).put(`/products/${_id}`, { name, prices: [{ duration: DURATION, price: 99.99 }] })
      },
    },
    duplicate: { NOT_FOUND: (shop) => shop.owner.post(`/products/${missing()}/duplicate`) },
    reprice: {
      NOT_FOUND: (shop) => shop.owner.post('/products/reprice', { priceIds: [missing()], percent: 10 }),
      AMOUNT_CHANGED: async (shop) => {
        const { prices } = await shop.product({ prices: { [DURATION]: 100 } })
        const priceId = prices[0]?._id
        return shop.owner.post('/products/reprice', {
          priceIds: [priceId],
          rupees: 10,
          expected: [{ priceId, price: 99 }],
        })
      },
      STEP_UP_REQUIRED: async (shop) => {
        const { prices } = await shop.product({ prices: { [DURATION]: 100 } })
        return (await unproven(shop)).post('/products/reprice', { priceIds: [prices[0]?._id], percent: -1 })
      },
    },
    remove: { NOT_FOUND: (shop) => shop.owner.delete(`/products/${missing()}`) },
    restore: {
      NOT_FOUND: async (shop) => shop.owner.post(`/products/${(await shop.product())._id}/restore`),
      NAME_TAKEN: async (shop) => {
        const { _id, name } = await shop.product()
        await shop.owner.api.catalogue.remove({ id: _id })
        await shop.product({ name: name.toUpperCase() })
        return shop.owner.post(`/products/${_id}/restore`)
      },
      STEP_UP_REQUIRED: async (shop) => {
        const { _id } = await shop.product()
        await shop.owner.api.catalogue.remove({ id: _id })
        return (await unproven(shop, 'stock')).post(`/products/${_id}/restore`)
      },
    },
  },
  shows: { list: use(ADMIN_ROLES), update: use(['owner', 'stock']), duplicate: use(['owner', 'stock']) },
}
