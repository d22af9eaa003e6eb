import { Refusal } from '../../contract/errors.ts'
import { REFUND_FEE_MIN_PAISE } from '../../contract/limits.ts'
import { toRupees } from '../../contract/money.ts'
import { textsInOthers } from '../../contract/owner-texts.ts'
import type { settings } from '../../contract/settings.ts'
import type { Call, Handlers } from '../platform/http/http.ts'
import { keepAnyway } from '../platform/database/search.ts'
import { picturePath } from '../platform/http/pages/kept-pictures.ts'
import type { Services } from '../platform/services.ts'
import { readApprovalMinutes, readCheckedOnArrival, readHasOffers } from './payment-facts.ts'
import { markGuideStep, refreshVersion, saveFace, saveNotice, saveSite, saveStore, saveUpi } from './save-settings.ts'
import { readSettings, type Settings } from './settings.ts'

export const settingsRoutes = (services: Services): Handlers<typeof settings> => {
  /** Reads the settings once until the database changes, because a page needs them four times. */
  const read = ({ cached }: Pick<Call, 'cached'>) => cached.read('settings', () => readSettings(services.db))
  const versionOf = ({ version }: Settings) => ({ settingsVersion: version })
  return {
    site: async (_, call) => toSite(await read(call)),
    saveSite: async (site, call) => toSite(await saveSite(services, site, call)),
    saveFace: async (face, call) => toSite(await saveFace(services, face, call)),
    upi: async (_, call) => {
      const { db } = services
      const [upi, approvalMinutes, checkedOnArrival, hasOffers] = await Promise.all([
        read(call),
        // Every page of the store begins with these
        keepAnyway(db, 'approval minutes', () => readApprovalMinutes(db)),
        keepAnyway(db, 'checked on arrival', () => readCheckedOnArrival(db, call.now)),
        keepAnyway(db, 'has offers', () => readHasOffers(db)),
      ])
      return {
        ...toUpi(upi),
        ...(approvalMinutes && { approvalMinutes }),
        ...(checkedOnArrival && { checkedOnArrival }),
        hasOffers,
      }
    },
    saveUpi: async (upi, call) => toUpi(await saveUpi(services, upi, call)),
    store: async (_, call) => toStore(await read(call)),
    saveStore: async (store, call) => toStore(await saveStore(services, store, call)),
    markGuideStep: async (mark, call) => {
      await markGuideStep(services, mark, call)
      return { message: 'Step marked' }
    },
    notice: async (_, call) => toNotice(await read(call)),
    saveNotice: async (notice, call) => toNotice(await saveNotice(services, notice, call)),
    // Reads at the start, because the database may be away before the first call
    version: lastKnown(readSettings(services.db).then(versionOf), async (_, call) => versionOf(await read(call))),
    refreshVersion: async (_, call) => ({
      success: true as const,
      settingsVersion: (await refreshVersion(services, call)).version,
    }),
  }
}

/**
 * Returns the last value while the database is away. Clients reload when this number differs from theirs, so an
 * answer without it would make them reload in an outage.
 */
function lastKnown<T, Asked extends unknown[]>(first: Promise<T>, read: (...asked: Asked) => Promise<T>) {
  let known = first
  known.catch(() => {})
  return async (...asked: Asked): Promise<T> => {
    const answer = read(...asked)
    try {
      await answer
      known = answer
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'SERVICE_UNAVAILABLE') throw error
    }
    return known
  }
}

const toSite = ({ websiteName, websiteTitle, supportUrl, accent, heroLine, ...rest }: Settings) => ({
  websiteName,
  websiteTitle,
  supportUrl,
  accent,
  heroLine,
  ...(rest.refundFee !== REFUND_FEE_MIN_PAISE && { refundFee: toRupees(rest.refundFee) }),
  ...(rest.refundNote !== '' && { refundNote: rest.refundNote }),
  ...textsInOthers(rest, ['websiteTitle', 'heroLine', 'refundNote']),
  ...(rest.logo !== null && { logo: picturePath(rest.logo) }),
  ...(rest.shareImage !== null && { shareImage: picturePath(rest.shareImage) }),
  ...(rest.mail && { mail: true as const }),
  ...(rest.tells && { tells: true as const }),
  ...(rest.autoBuy && { autoBuy: true as const }),
})
const toUpi = ({ upiId, payeeName, paymentEnabled, merchantVpa, topupMax, carefulAbove }: Settings) => ({
  upiId,
  ...(payeeName && { payeeName }),
  paymentEnabled,
  merchantVpa,
  topupMax: toRupees(topupMax),
  ...(carefulAbove && { carefulAbove: toRupees(carefulAbove) }),
})
const toStore = ({
  supportUrl,
  merchantVpa,
  topupMax,
  topupValidityDays,
  secondFactorRequired,
  stepUpAbove,
  carefulAbove,
  turnoverLine,
  refundFee,
  refundNote,
  ...rest
}: Settings) => ({
  supportUrl,
  merchantVpa,
  topupMax: toRupees(topupMax),
  topupValidityDays,
  secondFactorRequired,
  stepUpAbove: toRupees(stepUpAbove),
  carefulAbove: carefulAbove && toRupees(carefulAbove),
  turnoverLine: turnoverLine && toRupees(turnoverLine),
  refundFee: toRupees(refundFee),
  refundNote,
  ...textsInOthers(rest, ['refundNote']),
  ...(rest.outdated && { outdated: rest.outdated }),
})
const toNotice = (settings: Settings) => ({ text: settings.notice, ...textsInOthers(settings, ['notice']) })
