import type { AdminRole } from '../../../contract/endpoint.ts'
import { sql } from '../../../server/platform/database/database.ts'
import type { Answer, Browser } from '../../store.ts'
import { anAdmin, unproven } from '../../worlds/admins.ts'
import type { Buyer, Shop } from '../../worlds/shop.ts'
import { batch, DURATION, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

const READERS: AdminRole[] = ['owner', 'support', 'payments', 'stock', 'read-only']
const DECIDERS: AdminRole[] = ['owner', 'support', 'payments']

interface Reported {
  buyer: Buyer
  productId: string
  keyIds: string[]
  id: string
}

/** A claim for the first of some keys of a new product. */
async function reported(shop: Shop, given: { quantity?: number; stock?: number } = {}): Promise<Reported> {
  const { quantity = 1, stock = quantity + 1 } = given
  const buyer = await shop.buyer({ balance: 100 * quantity })
  const { _id: productId } = await shop.product({ stock })
  const { keys } = await buyer.api.orders.place({ productId, duration: DURATION, quantity })
  const keyIds = keys.map(({ _id }) => _id)
  const { _id: id } = await buyer.api.claims.open({ keyId: keyIds[0] ?? '', reason: 'stopped', note: 'At noon' })
  return { buyer, productId, keyIds, id }
}

/** A claim that was withdrawn. */
async function settled(shop: Shop): Promise<Reported> {
  const claim = await reported(shop)
  await claim.buyer.api.claims.withdraw({ id: claim.id })
  return claim
}

/** An answer of ₹100 where a proof is asked above ₹99. */
async function aboveLimit(shop: Shop, how: 'replace' | 'refund', body: object, by?: Browser): Promise<Answer> {
  await shop.owner.api.settings.saveStore({ stepUpAbove: 99 })
  const { id } = await reported(shop)
  const answer = await (by ?? (await unproven(shop))).put(`/claims/${id}/${how}`, body)
  await shop.owner.api.settings.saveStore({ stepUpAbove: 10_000 })
  return answer
}

const full = { rule: 'full', expected: 100 }
const note = { note: 'Stolen', openClaims: true }

export const claims: Walk<'claims'> = {
  succeed: {
    open: async (shop) => {
      const { buyer, keyIds } = await reported(shop, { quantity: 2 })
      return buyer.post('/claims', { keyId: keyIds[1], reason: 'other' })
    },
    mine: async (shop) => (await reported(shop)).buyer.get('/claims/mine'),
    withdraw: async (shop) => {
      const { buyer, id } = await reported(shop)
      return buyer.post(`/claims/${id}/withdraw`)
    },
    list: async (shop) => {
      await reported(shop)
      return shop.owner.get('/claims?status=open&limit=20&search=C-1')
    },
    one: async (shop) => shop.owner.get(`/claims/${(await reported(shop)).id}`),
    replace: async (shop) => shop.owner.put(`/claims/${(await reported(shop)).id}/replace`, { time: 'full' }),
    refund: async (shop) => shop.owner.put(`/claims/${(await reported(shop)).id}/refund`, full),
    reject: async (shop) => shop.owner.put(`/claims/${(await reported(shop)).id}/reject`, { answer: 'It works.' }),
    recall: async (shop) => shop.owner.post(`/keys/batches/${(await batch(shop)).id}/recall`, note),
    answerAll: async (shop) => {
      const { id } = await batch(shop)
      return shop.owner.post(`/keys/batches/${id}/answer`, { do: 'replace', answer: 'Sorry.' })
    },
    warranty: async (shop) => shop.owner.post(`/keys/batches/${(await batch(shop)).id}/warranty`),
  },
  refuse: {
    open: {
      NOT_FOUND: async (shop) => (await shop.buyer()).post('/claims', { keyId: missing(), reason: 'other' }),
      CLAIM_OPEN: async (shop) => {
        const { buyer, keyIds } = await reported(shop)
        return buyer.post('/claims', { keyId: keyIds[0], reason: 'other' })
      },
      CLAIM_TOO_LATE: async (shop) => {
        const { buyer, keyIds } = await settled(shop)
        const long = sql`assigned_at = assigned_at - interval '18 days', expires_at = expires_at - interval '18 days'`
        await shop.store.db.run(sql`update license_keys set ${long} where id = ${keyIds[0]}`)
        return buyer.post('/claims', { keyId: keyIds[0], reason: 'other' })
      },
      TOO_MANY_CLAIMS: async (shop) => {
        const { buyer, keyIds } = await reported(shop, { quantity: 6 })
        for (const keyId of keyIds.slice(1, 5)) await buyer.api.claims.open({ keyId, reason: 'other' })
        return buyer.post('/claims', { keyId: keyIds[5], reason: 'other' })
      },
    },
    withdraw: {
      NOT_FOUND: async (shop) => (await shop.buyer()).post(`/claims/${missing()}/withdraw`),
      CLAIM_DECIDED: async (shop) => {
        const { buyer, id } = await settled(shop)
        return buyer.post(`/claims/${id}/withdraw`)
      },
    },
    one: {
      NOT_FOUND: (shop) => shop.owner.get(`/claims/${missing()}`),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).get(`/claims/${(await reported(shop)).id}?unproven=refuse`),
    },
    replace: {
      NOT_FOUND: (shop) => shop.owner.put(`/claims/${missing()}/replace`, {}),
      CLAIM_DECIDED: async (shop) => shop.owner.put(`/claims/${(await settled(shop)).id}/replace`, {}),
      OUT_OF_STOCK: async (shop) =>
        shop.owner.put(`/claims/${(await reported(shop, { stock: 1 })).id}/replace`, { answer: 'Soon.' }),
      REPLACED_BEFORE: async (shop) => {
        const { buyer, id } = await reported(shop, { stock: 3 })
        const { replacementId } = await shop.owner.api.claims.replace({ id })
        const { _id: again } = await buyer.api.claims.open({ keyId: replacementId ?? '', reason: 'other' })
        return (await anAdmin(shop, 'support')).browser.put(`/claims/${again}/replace`, {})
      },
      DAY_LIMIT: async (shop) => aboveLimit(shop, 'replace', {}, (await anAdmin(shop, 'support')).browser),
      STEP_UP_REQUIRED: (shop) => aboveLimit(shop, 'replace', {}),
    },
    refund: {
      NOT_FOUND: (shop) => shop.owner.put(`/claims/${missing()}/refund`, full),
      CLAIM_DECIDED: async (shop) => shop.owner.put(`/claims/${(await settled(shop)).id}/refund`, full),
      AMOUNT_CHANGED: async (shop) =>
        shop.owner.put(`/claims/${(await reported(shop)).id}/refund`, { rule: 'full', expected: 99 }),
      STEP_UP_REQUIRED: (shop) => aboveLimit(shop, 'refund', full),
    },
    reject: {
      NOT_FOUND: (shop) => shop.owner.put(`/claims/${missing()}/reject`, { answer: 'No.' }),
      CLAIM_DECIDED: async (shop) => shop.owner.put(`/claims/${(await settled(shop)).id}/reject`, { answer: 'No.' }),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop, 'support')).put(`/claims/${missing()}/reject`, { answer: 'Call 98765 43210.' }),
    },
    recall: {
      NOT_FOUND: (shop) => shop.owner.post(`/keys/batches/${missing()}/recall`, note),
      BATCH_RECALLED: async (shop) => {
        const { id } = await batch(shop)
        await shop.owner.api.claims.recall({ id, ...note })
        return shop.owner.post(`/keys/batches/${id}/recall`, note)
      },
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).post(`/keys/batches/${missing()}/recall`, note),
    },
    answerAll: {
      NOT_FOUND: (shop) => shop.owner.post(`/keys/batches/${missing()}/answer`, { do: 'full', answer: '' }),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).post(`/keys/batches/${missing()}/answer`, { do: 'full', answer: '' }),
    },
    warranty: {
      NOT_FOUND: (shop) => shop.owner.post(`/keys/batches/${missing()}/warranty`),
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).post(`/keys/batches/${missing()}/warranty`),
    },
  },
  shows: {
    list: { username: READERS, 'claim note': READERS },
    one: { username: READERS, 'claim note': READERS, 'sold key': READERS.filter((role) => role !== 'read-only') },
    replace: { username: DECIDERS, 'claim note': DECIDERS },
    warranty: { 'sold key': ['owner', 'stock'] },
  },
}
