/** Changes to the store's settings. Each goes to the open pages and into the audit log. */
import type { GuideStep } from '../../contract/guide.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { toRupees } from '../../contract/money.ts'
import type { OtherTexts } from '../../contract/owner-texts.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import type { Services } from '../platform/services.ts'
import { lockSettings, writeSettings, type Settings } from './settings.ts'

type StoreSetting =
  | 'supportUrl'
  | 'merchantVpa'
  | 'topupMax'
  | 'topupValidityDays'
  | 'secondFactorRequired'
  | 'stepUpAbove'
  | 'refundFee'
  | 'refundNote'
type Form<Name extends keyof Settings> = { [Each in Name]?: Settings[Each] | undefined }
/** Leaves out what is absent, which stays. */
const given = <T extends object>(form: T) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as {
    [Each in keyof T]?: Exclude<T[Each], undefined>
  }

/** Saves name and title, and makes open pages reload, because both are in every page's frame. */
export function saveSite(
  services: Services,
  site: Pick<Settings, 'websiteName' | 'websiteTitle'> & OtherTexts<'websiteTitle'>,
  by: ProvingBy,
): Promise<Settings> {
  return change(services, by, {
    action: 'settings.site',
    subject: 'Website name and title',
    apply: (settings) => ({ ...settings, ...site, version: settings.version + 1 }),
  })
}

/** Saves accent and headline. Absent fields stay. */
export function saveFace(
  services: Services,
  face: Form<'accent' | 'heroLine'> & OtherTexts<'heroLine'>,
  by: ProvingBy,
): Promise<Settings> {
  return change(services, by, {
    action: 'settings.face',
    subject: 'Accent and headline',
    apply: (settings) => ({ ...settings, ...given(face), version: settings.version + 1 }),
  })
}

export function markGuideStep(
  services: Services,
  { step, state }: { step: GuideStep; state: 'done' | 'skipped' },
  by: ProvingBy,
): Promise<Settings> {
  return change(services, by, {
    action: 'settings.guide',
    subject: 'Setup guide',
    apply: (settings) => ({ ...settings, guide: { ...settings.guide, [step]: state } }),
  })
}

/**
 * Saves the UPI settings. Absent fields stay.
 * @throws Refusal STEP_UP_REQUIRED for another UPI ID, because every later payment goes there
 */
export function saveUpi(services: Services, upi: Form<'upiId' | 'paymentEnabled'>, by: ProvingBy): Promise<Settings> {
  return change(services, by, {
    action: 'settings.upi',
    subject: 'UPI ID and payment switch',
    isGuarded: (before, after) => before.upiId !== after.upiId,
    apply: (settings) => ({ ...settings, ...given(upi) }),
  })
}

/**
 * Saves the support link, the terms of top-ups and the rules for admins. Absent fields stay.
 * @throws Refusal STEP_UP_REQUIRED to relax the rules for admins, shorten credit, or change the support link
 */
export function saveStore(
  services: Services,
  store: Form<StoreSetting> & OtherTexts<'refundNote'>,
  by: ProvingBy,
): Promise<Settings> {
  return change(services, by, {
    action: 'settings.store',
    subject: 'Support link and top-up terms',
    isGuarded: (before, after) =>
      before.supportUrl !== after.supportUrl ||
      (before.secondFactorRequired && !after.secondFactorRequired) ||
      (before.topupValidityDays ?? Infinity) > (after.topupValidityDays ?? Infinity) ||
      after.stepUpAbove > before.stepUpAbove,
    apply: (settings) => ({ ...settings, ...given(store) }),
  })
}

export function saveNotice(
  services: Services,
  { text, ...others }: { text: string } & OtherTexts<'notice'>,
  by: ProvingBy,
): Promise<Settings> {
  return change(services, by, {
    action: 'settings.notice',
    subject: 'Notice',
    apply: (settings) => ({ ...settings, notice: text, ...others }),
  })
}

/** Makes every open user page reload. */
export function refreshVersion(services: Services, by: ProvingBy): Promise<Settings> {
  return change(services, by, {
    action: 'settings.refresh',
    subject: 'All user pages',
    apply: (settings) => ({ ...settings, version: settings.version + 1 }),
  })
}

interface Change {
  action: AuditAction
  subject: string
  /** True if the change needs step-up. */
  isGuarded?(before: Settings, after: Settings): boolean
  apply(settings: Settings): Settings
}

async function change(
  { db, events }: Services,
  by: ProvingBy,
  { action, subject, apply, isGuarded }: Change,
): Promise<Settings> {
  const saved = await db.transaction(async (tx) => {
    const before = await lockSettings(tx)
    const after = apply(before)
    if (isGuarded?.(before, after)) by.requireProof()
    await writeSettings(tx, after)
    await audit(tx, by, { action, subject, before: differing(before, after), after: differing(after, before) })
    return after
  })
  events.publish({ to: 'everyone', name: 'settings', data: { settingsVersion: saved.version } })
  return saved
}

/** Returns the members of `one` that differ from `other`, amounts in rupees as on the wire. */
function differing(one: Settings, other: Settings): object {
  const { topupMax, stepUpAbove, refundFee } = one
  const shown = {
    ...one,
    topupMax: toRupees(topupMax),
    stepUpAbove: toRupees(stepUpAbove),
    refundFee: toRupees(refundFee),
  }
  return Object.fromEntries(
    Object.entries(shown).filter(
      ([name]) => (one[name as keyof Settings] ?? '') !== (other[name as keyof Settings] ?? ''),
    ),
  )
}
