/** The steps of the setup guide: their words, and where each is done. */
import type { Endpoint } from '../../../../contract/endpoint.ts'
import type { FIRST_STEPS, GuideStep, LATER_STEPS } from '../../../../contract/guide.ts'
import { DEFAULT_WEBSITE_NAME } from '../../../../contract/limits.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import type { Path } from '../../../platform/navigation/navigation.ts'
import { BACKUP_SECTION, SUPPORT_SECTION } from '../../../ui/admin/forms/settings-form.tsx'
import { SITE_ROW, UPI_ROW } from '../settings/settings-rows.tsx'

interface GuideEntry {
  title: string
  hint: string
  /** The call that the step is made of. Roles that may not make it get no link. */
  call: Pick<Endpoint, 'method' | 'roles'>
  to: Path
  hash?: string
}

export const GUIDE: Path = '/admin/guide'

export const guideEntries = (): Record<GuideStep, GuideEntry> => ({ ...firstEntries(), ...laterEntries() })

const firstEntries = (): Record<(typeof FIRST_STEPS)[number], GuideEntry> => ({
  name: {
    title: t('Name your store'),
    hint: t('Buyers see the name on every page. Until then it is {site}.', { site: DEFAULT_WEBSITE_NAME }),
    call: calls.settings.saveSite,
    to: '/admin',
    hash: SITE_ROW,
  },
  upiId: {
    title: t('Add your UPI ID'),
    hint: t('Buyers pay to this ID. We create the QR code from it.'),
    call: calls.settings.saveUpi,
    to: '/admin',
    hash: UPI_ROW,
  },
  product: {
    title: t('Add a product'),
    hint: t('Set a price for each duration.'),
    call: calls.catalogue.create,
    to: '/admin/product-manager',
  },
  keys: {
    title: t('Add keys'),
    hint: t('Paste keys or upload a file.'),
    call: calls.keys.add,
    to: '/admin/key-manager',
  },
  referralCode: {
    title: t('Create a referral code'),
    hint: t('Buyers need a code to sign up.'),
    call: calls.referrals.create,
    to: '/admin/referral-manager',
  },
  supportLink: {
    title: t('Add a support link'),
    hint: t('Buyers write to you there, for example on WhatsApp.'),
    call: calls.settings.saveStore,
    to: '/admin/settings',
    hash: SUPPORT_SECTION,
  },
})

const laterEntries = (): Record<(typeof LATER_STEPS)[number], GuideEntry> => ({
  face: {
    title: t('Brand your store'),
    hint: t('Choose a logo, a colour and a headline.'),
    call: calls.settings.saveFace,
    to: '/admin/settings/face',
  },
  plans: {
    title: t('Add top-up plans'),
    hint: t('Give buyers a bonus for larger top-ups.'),
    call: calls.payments.createPlan,
    to: '/admin/topup-plan-manager',
  },
  buyerView: {
    title: t('See your store as a buyer'),
    hint: t('Opens the store in a new tab.'),
    call: calls.settings.markGuideStep,
    to: GUIDE,
  },
  phone: {
    title: t('Get notifications on this phone'),
    hint: t('Your phone shows each new top-up request.'),
    call: calls.messages.channels,
    to: '/admin/settings/messages',
  },
  share: {
    title: t('Share your sign-up link'),
    hint: t('Send it on WhatsApp, or show its QR code.'),
    call: calls.settings.markGuideStep,
    to: GUIDE,
  },
  backup: {
    title: t('Save a copy of your store'),
    hint: t('Download your whole store as one encrypted file.'),
    call: calls.backup.download,
    to: '/admin/settings',
    hash: BACKUP_SECTION,
  },
  twoStep: {
    title: t('Turn on two-step verification'),
    hint: t('It protects the panel if somebody gets your password.'),
    call: calls.admins.enrol,
    to: '/admin/security',
  },
})
