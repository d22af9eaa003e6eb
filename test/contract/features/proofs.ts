import { CASHIERS, nameFor } from '../../leaks/places.ts'
import { unproven } from '../../worlds/admins.ts'
import { decided, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

export const proofs: Walk<'proofs'> = {
  succeed: { read: async (shop) => shop.owner.get(`/payments/${await decided(shop)}/proof`) },
  refuse: {
    read: {
      NOT_FOUND: (shop) => shop.owner.get(`/payments/${missing()}/proof`),
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop, 'payments')).get(`/payments/${missing()}/proof`),
    },
  },
  shows: { read: { ...nameFor(CASHIERS), phone: CASHIERS, UTR: CASHIERS, address: CASHIERS, browser: CASHIERS } },
}
