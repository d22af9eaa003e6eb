/** What renews in the demo: diya's key waits for its end. meera's is held, because it costs more than she allowed. */
import type { Api } from '../../contract/api.ts'
import type { Product } from '../../contract/catalogue.ts'
import type { Client } from '../../contract/client.ts'
import type { Services } from '../platform/services.ts'
import { renewalJobs } from '../renewals/routes.ts'

interface Selling {
  owner: Client<Api>
  buyers: ReadonlyMap<string, Client<Api>>
  products: readonly Product[]
}

const PRODUCT = 'Orbit Arena Pro'
const DURATION = '5 Days'
const COST = 99
const WAITS = 'diya'
const HELD = 'meera'
const HELD_MAX = 90

/** Sold six days before the end of the month, it has just ended when the visitor comes. */
export const sellWhatIsHeld = (demo: Selling): Promise<void> => sell(demo, HELD, { max: HELD_MAX })

export async function renewSome(demo: Selling, services: Services): Promise<void> {
  await sell(demo, WAITS)
  // She bought the same again in the last days, and wants it renewed all the same
  const held = demo.buyers.get(HELD)
  const [renewal] = (await held?.renewals.mine({})) ?? []
  await held?.renewals.make({ keyId: renewal?.keyIds[0] ?? '', max: HELD_MAX })
  await renewalJobs(services)[0]?.run(services.clock.now(), new AbortController().signal)
}

async function sell({ owner, buyers, products }: Selling, name: string, terms?: { max: number }): Promise<void> {
  const buyer = buyers.get(name)
  const product = products.find((each) => each.name === PRODUCT)
  if (!buyer || !product) return
  const { _id: id } = await buyer.sessions.me({})
  await owner.users.update({ id, balance: COST, reason: 'Thank you for your patience.' })
  const { keys } = await buyer.orders.place({ productId: product._id, duration: DURATION, quantity: 1 })
  await buyer.renewals.make({ keyId: keys[0]?._id ?? '', ...terms })
}
