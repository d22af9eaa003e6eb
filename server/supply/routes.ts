import { paise, toRupees } from '../../contract/money.ts'
import type { supply } from '../../contract/supply.ts'
import type { StockHooks } from '../keys/hooks.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Outbound } from '../platform/outbound.ts'
import type { Services } from '../platform/services.ts'
import { addLink, changeLink, checkLink, listLinks, readTheirs, tryTemplate, type Linking } from './links.ts'
import { listOrders, orderNow, settleOrder } from './orders.ts'
import { readClaimThere, reportThere } from './report.ts'
import { listSources, removeSource, saveSource } from './sources.ts'

interface Outside {
  outbound: Outbound
  publicOrigin: string | undefined
}

export function supplyRoutes(services: Services, reach: Outside, hooks: StockHooks): Handlers<typeof supply> {
  const { db, events } = services
  /** Reads their list now, not at the next look. */
  const soon = <T>(link: T): T => {
    events.publish({ to: 'admins', name: 'wanted' })
    return link
  }
  const linking: Linking = { ...services, outbound: reach.outbound, publicOrigin: reach.publicOrigin }
  return {
    links: async (_, { now }) => ({ links: await listLinks(db, now) }),
    addLink: async (form, call) => soon(await addLink(linking, form, call)),
    changeLink: async (change, call) => soon(await changeLink(linking, change, call)),
    check: (form, call) => checkLink(linking, form, call),
    addApi: ({ name, secret, dayMax, runsFrom, ...template }, call) =>
      addLink(linking, { name, secret, dayMax, runsFrom, low: null, address: '', template }, call),
    changeApi: ({ id, name, secret, dayMax, runsFrom, ...template }, call) =>
      changeLink(linking, { id, name, secret, dayMax, runsFrom, template }, call),
    try: (form, call) => tryTemplate(linking, form, call),
    theirs: async ({ id }) => ({
      products: (await readTheirs(db, id)).map(({ paise: price, ...each }) => {
        return { ...each, price: toRupees(paise(price)) }
      }),
    }),
    sources: async (_, { now }) => ({ sources: await listSources(db, now) }),
    saveSource: (form, call) => saveSource(db, form, call),
    saveSku: (form, call) => saveSource(db, { ...form, theirProduct: '', theirDuration: '' }, call),
    removeSource: async ({ priceId }, call) => {
      await removeSource(db, priceId, call)
      return { message: 'It is bought no longer' }
    },
    orders: (search, { now }) => listOrders(db, search, now),
    order: (wanted, call) => orderNow(db, wanted, call),
    claimThere: async ({ id }) => ({ there: await readClaimThere(db, id) }),
    reportThere: ({ id }, call) => reportThere(linking, id, call),
    settle: (outcome, call) => settleOrder({ ...linking, hooks }, outcome, call),
  }
}
