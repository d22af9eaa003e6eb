import { CASHIERS, nameFor } from '../../leaks/places.ts'
import { unproven } from '../../worlds/admins.ts'
import type { Shop } from '../../worlds/shop.ts'
import { decided, missing, pending } from '../things.ts'
import type { Walk } from '../walk.ts'

const NOTE = { note: 'Letter 7 of the bank' }

async function held(shop: Shop): Promise<string> {
  const id = await decided(shop)
  await shop.owner.api.proofs.hold({ id, ...NOTE })
  return id
}

const MARKED = { ...nameFor(CASHIERS), phone: CASHIERS, UTR: CASHIERS, address: CASHIERS }

export const proofs: Walk<'proofs'> = {
  succeed: {
    read: async (shop) => shop.owner.get(`/payments/${await decided(shop)}/proof`),
    hold: async (shop) => shop.owner.put(`/payments/${await decided(shop)}/held`, NOTE),
    release: async (shop) => shop.owner.delete(`/payments/${await held(shop)}/held`),
  },
  refuse: {
    read: {
      NOT_FOUND: (shop) => shop.owner.get(`/payments/${missing()}/proof`),
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop, 'payments')).get(`/payments/${missing()}/proof`),
    },
    hold: {
      NOT_FOUND: (shop) => shop.owner.put(`/payments/${missing()}/held`, NOTE),
      NOT_APPROVED: async (shop) => shop.owner.put(`/payments/${await pending(shop)}/held`, NOTE),
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop, 'payments')).put(`/payments/${missing()}/held`, NOTE),
    },
    release: {
      NOT_FOUND: (shop) => shop.owner.delete(`/payments/${missing()}/held`),
      NOT_HELD: async (shop) => shop.owner.delete(`/payments/${await decided(shop)}/held`),
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop, 'payments')).delete(`/payments/${missing()}/held`),
    },
  },
  shows: { read: { ...MARKED, browser: CASHIERS }, hold: MARKED, release: MARKED },
}
