import { Refusal } from '../../contract/errors.ts'
import { toRupees } from '../../contract/money.ts'
import type { settings } from '../../contract/settings.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { refreshVersion, saveNotice, saveSite, saveStore, saveUpi } from './save-settings.ts'
import { readSettings, type Settings } from './settings.ts'

export const settingsRoutes = (services: Services): Handlers<typeof settings> => ({
  site: async () => toSite(await readSettings(services.db)),
  saveSite: async (site, call) => toSite(await saveSite(services, site, call)),
  upi: async () => toUpi(await readSettings(services.db)),
  saveUpi: async (upi, call) => toUpi(await saveUpi(services, upi, call)),
  store: async () => toStore(await readSettings(services.db)),
  saveStore: async (store, call) => toStore(await saveStore(services, store, call)),
  notice: async () => toNotice(await readSettings(services.db)),
  saveNotice: async ({ text }, call) => toNotice(await saveNotice(services, text, call)),
  version: lastKnown(async () => ({ settingsVersion: (await readSettings(services.db)).version })),
  refreshVersion: async (_, call) => ({
    success: true as const,
    settingsVersion: (await refreshVersion(services, call)).version,
  }),
})

/**
 * While the database is away, what it said last: clients compare this number with their own and load anew where it differs,
 * so an answer that is JSON without it would have them do so in the middle of an outage.
 */
function lastKnown<T>(read: () => Promise<T>): () => Promise<T> {
  // Asked at the start: the database may be away again before anybody else asks
  let known = read()
  known.catch(() => {})
  return async () => {
    const asked = read()
    try {
      await asked
      known = asked
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'SERVICE_UNAVAILABLE') throw error
    }
    return known
  }
}

const toSite = ({ websiteName, websiteTitle, supportUrl }: Settings) => ({ websiteName, websiteTitle, supportUrl })
const toUpi = ({ upiId, paymentEnabled, merchantVpa, topupMax }: Settings) => ({
  upiId,
  paymentEnabled,
  merchantVpa,
  topupMax: toRupees(topupMax),
})
const toStore = ({
  supportUrl,
  merchantVpa,
  topupMax,
  topupValidityDays,
  secondFactorRequired,
  stepUpAbove,
}: Settings) => ({
  supportUrl,
  merchantVpa,
  topupMax: toRupees(topupMax),
  topupValidityDays,
  secondFactorRequired,
  stepUpAbove: toRupees(stepUpAbove),
})
const toNotice = ({ notice }: Settings) => ({ text: notice })
