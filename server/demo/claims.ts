/** Claims in the demo: one in each state, a batch of which three keys in 18 are bad, and one that was recalled. */
import type { Api } from '../../contract/api.ts'
import type { ClaimReason } from '../../contract/claims.ts'
import type { Client } from '../../contract/client.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { BUYERS, type Demo } from './month.ts'

const PRODUCT = 'Hexfall Tactics'
const DURATION = '10 Days'
/** A bank holds a payment of theirs. */
const HELD = 'kabir'
/** Three for each buyer. */
const BATCH_KEYS = 18

type Buyer = Client<Api>
type Report = { keyId: string; reason: Exclude<ClaimReason, 'recalled'>; note?: string }

/** Sells a batch without a cost, and lets buyers report keys. */
export async function claimSome(demo: Demo): Promise<void> {
  const { owner, buyers, products, clock, now, logInOwner, topUp } = demo
  clock.set(new Date(now.getTime() - 3 * DAY_MS))
  await logInOwner()
  const of = (name: string) => buyers.get(name) as Buyer
  const productId = products.find(({ name }) => name === PRODUCT)?._id ?? ''
  const keys = Array.from({ length: BATCH_KEYS }, (_, n) => `HEX${n % 10}-${7_310 + n * 37}-BAZR-${2_048 + n * 53}`)
  await owner.keys.add({ productId, duration: DURATION, keys, supplier: 'Key Bazaar', note: 'Cost still to come' })
  const bought = new Map<string, string[]>()
  for (const name of BUYERS) {
    const id = await topUp(name, 500)
    await owner.payments.approve({ id })
    if (name === HELD) await owner.proofs.hold({ id, note: 'Letter 4471/26, cyber cell Pune', letBuy: true })
    const { keys: own } = await of(name).orders.place({ productId, duration: DURATION, quantity: 3 })
    bought.set(
      name,
      own.map(({ _id }) => _id),
    )
  }
  const report = async (name: string, nth: number, rest: Omit<Report, 'keyId'>) =>
    of(name).claims.open({ keyId: bought.get(name)?.[nth] ?? '', ...rest })

  clock.set(new Date(now.getTime() - 2.5 * DAY_MS))
  await logInOwner()
  const refunded = await report('diya', 0, { reason: 'already-used', note: 'It says: “Key redeemed on 2 November.”' })
  const withdrawn = await report('rohan', 0, { reason: 'never-worked', note: 'Error 0x803F on activation' })
  clock.advance(2 * HOUR_MS)
  await of('rohan').claims.withdraw({ id: withdrawn._id })
  const { offers } = await owner.claims.one({ id: refunded._id })
  const answer = 'Sorry for that. The whole price is in your wallet.'
  await owner.claims.refund({ id: refunded._id, rule: 'full', expected: offers.full ?? 0, answer })
  await answerOthers({ owner, of })
  await recallSome(demo)
  // Both claims are overdue when the visitor comes
  await report('isha', 2, { reason: 'already-used' })
  await report('meera', 1, {
    reason: 'stopped',
    note: 'Worked for a day. Now the game says “Licence revoked by issuer”.',
  })
}

/** Sells some of a batch that turns out to be stolen, and refunds it. */
async function recallSome({ owner, buyers, products, topUp }: Demo): Promise<void> {
  const productId = products.find(({ name }) => name === PRODUCT)?._id ?? ''
  const keys = Array.from({ length: 8 }, (_, n) => `HEX${n}-GREY-${4_127 + n * 61}-${9_043 - n * 29}`)
  const delivery = { supplier: 'Grey Keys', costPerKey: 61, note: 'Bought in a chat group' }
  const { batchId = '' } = await owner.keys.add({ productId, duration: DURATION, keys, ...delivery })
  for (const name of ['aarav', 'kabir', 'isha']) {
    await owner.payments.approve({ id: await topUp(name, 200) })
    await (buyers.get(name) as Buyer).orders.place({ productId, duration: DURATION, quantity: 1 })
  }
  await owner.claims.recall({ id: batchId, note: 'Paid with a stolen card, says the publisher', openClaims: true })
  const answer = 'The publisher has blocked this key. The whole price is in your wallet.'
  await owner.claims.answerAll({ id: batchId, do: 'full', answer })
}

/** A replaced key and a rejected claim, for keys of the month. */
async function answerOthers({ owner, of }: { owner: Buyer; of: (name: string) => Buyer }): Promise<void> {
  const running = async (name: string) =>
    (await of(name).keys.mine()).find(({ productId, state }) => productId.name !== PRODUCT && !state)?._id ?? ''
  const replaced = await of('aarav').claims.open({ keyId: await running('aarav'), reason: 'never-worked' })
  await owner.claims.replace({ id: replaced._id, answer: 'This one is fresh. Please try it.' })
  const note = 'I changed my mind'
  const rejected = await of('kabir').claims.open({ keyId: await running('kabir'), reason: 'other', note })
  await owner.claims.reject({
    id: rejected._id,
    answer: 'The key works, and its time has begun, so we can’t take it back.',
  })
}
