import { unproven } from '../../worlds/admins.ts'
import { unique } from '../../worlds/constants.ts'
import type { Shop } from '../../worlds/shop.ts'
import { missing } from '../things.ts'
import type { Walk } from '../walk.ts'

const terms = (more: object = {}) => ({ name: unique('Gold '), percentOff: 10, prices: [], ...more })

/** A new group in the place of what is there, because a store has few. */
export async function aGroup(shop: Shop, more: object = {}) {
  for (const { _id } of await shop.owner.api.groups.list()) await shop.owner.api.groups.remove({ id: _id })
  return shop.owner.api.groups.create(terms(more))
}
const path = async (shop: Shop) => `/groups/${(await aGroup(shop))._id}`
const ofNobody = { prices: [{ priceId: missing(), price: 1 }] }

export const groups: Walk<'groups'> = {
  succeed: {
    list: async (shop) => {
      await aGroup(shop)
      return shop.owner.get('/groups')
    },
    create: async (shop) => {
      const { prices } = await shop.product()
      await aGroup(shop)
      return shop.owner.post(
        '/groups',
        terms({ percentOff: '15', fromSpent: '10,000', prices: [{ priceId: prices[0]?._id, price: '99.50' }] }),
      )
    },
    update: async (shop) => shop.owner.put(await path(shop), { percentOff: 5 }),
    remove: async (shop) => shop.owner.delete(`${await path(shop)}?expected=0`),
  },
  refuse: {
    create: {
      NAME_TAKEN: async (shop) => shop.owner.post('/groups', terms({ name: (await aGroup(shop)).name.toUpperCase() })),
      SUM_TAKEN: async (shop) => {
        await aGroup(shop, { fromSpent: 10_000 })
        return shop.owner.post('/groups', terms({ fromSpent: '10,000' }))
      },
      PRODUCT_NOT_FOUND: async (shop) => {
        await aGroup(shop)
        return shop.owner.post('/groups', terms(ofNobody))
      },
      TOO_MANY_GROUPS: async (shop) => {
        await aGroup(shop)
        for (let n = 1; n < 10; n++) await shop.owner.api.groups.create(terms())
        return shop.owner.post('/groups', terms())
      },
      STEP_UP_REQUIRED: async (shop) => {
        await aGroup(shop)
        await shop.product()
        return (await unproven(shop)).post('/groups', terms())
      },
    },
    update: {
      NOT_FOUND: (shop) => shop.owner.put(`/groups/${missing()}`, { percentOff: 5 }),
      NAME_TAKEN: async (shop) => {
        const { name } = await aGroup(shop)
        const other = await shop.owner.api.groups.create(terms())
        return shop.owner.put(`/groups/${other._id}`, { name })
      },
      SUM_TAKEN: async (shop) => {
        await aGroup(shop, { fromSpent: 10_000 })
        const other = await shop.owner.api.groups.create(terms())
        return shop.owner.put(`/groups/${other._id}`, { fromSpent: 10_000 })
      },
      PRODUCT_NOT_FOUND: async (shop) => shop.owner.put(await path(shop), ofNobody),
      STEP_UP_REQUIRED: async (shop) => {
        await shop.product()
        return (await unproven(shop)).put(await path(shop), { percentOff: 11 })
      },
    },
    remove: {
      NOT_FOUND: (shop) => shop.owner.delete(`/groups/${missing()}`),
      AMOUNT_CHANGED: async (shop) => shop.owner.delete(`${await path(shop)}?expected=1`),
    },
  },
}
