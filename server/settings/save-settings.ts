/**
 * Changes to the store's settings. Each goes to the open pages and into the audit log, and each that says something new
 * to buyers is refused with STEP_UP_REQUIRED without a recent proof.
 */
import type { GuideStep } from '../../contract/guide.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { toRupees } from '../../contract/money.ts'
import { keepTexts, namesInOthers, type OtherTexts } from '../../contract/owner-texts.ts'
import { isSameUpi } from '../../contract/upi.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import type { Services } from '../platform/services.ts'
import { lockSettings, TRANSLATED, writeSettings, type Settings } from './settings.ts'
import { withTitles } from './site-title.ts'

type StoreSetting =
  | 'supportUrl'
  | 'merchantVpa'
  | 'topupMax'
  | 'topupValidityDays'
  | 'secondFactorRequired'
  | 'stepUpAbove'
  | 'carefulAbove'
  | 'turnoverLine'
  | 'refundFee'
  | 'refundNote'
type Form<Name extends keyof Settings> = { [Each in Name]?: Settings[Each] | undefined }
/** Leaves out what is absent, which stays. */
const given = <T extends object>(form: T) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as {
    [Each in keyof T]?: Exclude<T[Each], undefined>
  }

interface Rules {
  /** True if the change needs step-up, as every new text does that buyers read. */
  isGuarded?(before: Settings, after: Settings): boolean
}

type AnyForm = Form<keyof Settings>
type Saving<Wanted extends AnyForm> = (services: Services, form: Wanted, by: ProvingBy) => Promise<Settings>

/** @returns a function that saves a form. Absent fields stay. @param reloads makes open user pages reload */
const saving =
  (action: AuditAction, subject: string, { reloads, ...rules }: Rules & { reloads?: true }): Saving<AnyForm> =>
  (services, form, by) =>
    change(services, by, {
      action,
      subject,
      ...rules,
      form,
      apply: (settings) => ({ ...settings, ...given(form), version: settings.version + (reloads ? 1 : 0) }),
    })

/** Both are in every page's frame, and in what messengers show of a link. An untouched title follows the name. */
export const saveSite: Saving<Pick<Settings, 'websiteName' | 'websiteTitle'> & OtherTexts<'websiteTitle'>> = (
  services,
  form,
  by,
) =>
  change(services, by, {
    action: 'settings.site',
    subject: 'Website name and title',
    form: (settings) => withTitles(settings, form),
    apply: (settings) => ({ ...settings, ...given(withTitles(settings, form)), version: settings.version + 1 }),
  })

export const saveFace: Saving<Form<'accent' | 'heroLine'> & OtherTexts<'heroLine'>> = saving(
  'settings.face',
  'Accent and headline',
  { reloads: true },
)

type UpiForm = Form<'upiId' | 'payeeName' | 'paymentEnabled'>

/** @throws Refusal STEP_UP_REQUIRED for another UPI ID or name, because every later payment goes there */
export const saveUpi: Saving<UpiForm> = (services, form, by) =>
  change(services, by, {
    action: 'settings.upi',
    subject: 'UPI ID and payment switch',
    apply: (settings) => ({ ...settings, ...given(form), ...namedUpi(settings, form, by.now) }),
    isGuarded: (before, after) => before.upiId !== after.upiId || before.payeeName !== after.payeeName,
  })

/** A name belongs to its UPI ID. So it goes with it, and comes back with it. */
function namedUpi(before: Settings, { upiId = before.upiId, payeeName }: UpiForm, now: Date) {
  if (isSameUpi(upiId, before.upiId)) return {}
  const known = upiId !== '' && isSameUpi(upiId, before.upiBefore) ? before.payeeBefore : ''
  return {
    payeeName: upiId === '' ? '' : payeeName || known,
    // An empty field between two addresses is no address
    ...(before.upiId && { upiBefore: before.upiId, payeeBefore: before.payeeName, upiChangedAt: now }),
  }
}

/**
 * @throws Refusal STEP_UP_REQUIRED to relax the rules for admins or for large payments, shorten credit, or change the
 *   support link
 */
export const saveStore: Saving<Form<StoreSetting> & OtherTexts<'refundNote'>> = saving(
  'settings.store',
  'Support link and top-up terms',
  {
    isGuarded: (before, after) =>
      before.supportUrl !== after.supportUrl ||
      (before.secondFactorRequired && !after.secondFactorRequired) ||
      (before.topupValidityDays ?? Infinity) > (after.topupValidityDays ?? Infinity) ||
      (before.carefulAbove ?? Infinity) < (after.carefulAbove ?? Infinity) ||
      after.stepUpAbove > before.stepUpAbove,
  },
)

const reload = saving('settings.refresh', 'All user pages', { reloads: true })
/** Makes every open user page reload. */
export const refreshVersion = (services: Services, by: ProvingBy): Promise<Settings> => reload(services, {}, by)

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

export function saveNotice(
  services: Services,
  { text, ...others }: { text: string } & OtherTexts<'notice'>,
  by: ProvingBy,
): Promise<Settings> {
  return change(services, by, {
    action: 'settings.notice',
    subject: 'Notice',
    form: { notice: text, ...others },
    apply: (settings) => ({ ...settings, notice: text }),
  })
}

/**
 * What buyers read, in every language. A thief of the session could ask for money in it. A store without a UPI ID is
 * not open yet, and its owner logged in a moment ago.
 */
const READ_BY_BUYERS = /^(?:website|notice|heroLine|refundNote)/

interface Change extends Rules {
  action: AuditAction
  subject: string
  /** The fields that were sent, and those that follow them. */
  form?: AnyForm | ((before: Settings) => AnyForm)
  apply(settings: Settings): Settings
}

/** With the translations that still belong to the texts. */
function withTexts(before: Settings, after: Settings, form: AnyForm): Settings {
  const bare = Object.fromEntries(
    Object.entries(after).filter(
      ([name]) => !TRANSLATED.flatMap((each) => namesInOthers(each)).some((each) => each === name),
    ),
  ) as Settings
  return { ...bare, outdated: undefined, ...keepTexts(TRANSLATED, before, form) }
}

async function change(
  { db, events }: Services,
  by: ProvingBy,
  { action, subject, form = {}, apply, isGuarded }: Change,
): Promise<Settings> {
  const saved = await db.transaction(async (tx) => {
    const before = await lockSettings(tx)
    const after = withTexts(before, apply(before), typeof form === 'function' ? form(before) : form)
    const changed = differing(after, before)
    const isSaid =
      before.upiId !== '' && Object.entries(changed).some(([name, value]) => READ_BY_BUYERS.test(name) && value !== '')
    if (isSaid || isGuarded?.(before, after)) by.requireProof()
    await writeSettings(tx, after)
    await audit(tx, by, { action, subject, before: differing(before, after), after: changed })
    return after
  })
  events.publish({ to: 'everyone', name: 'settings', data: { settingsVersion: saved.version } })
  return saved
}

/** Returns the members of `one` that differ from `other`, amounts in rupees as on the wire. */
function differing(one: Settings, other: Settings): Record<string, unknown> {
  const { topupMax, stepUpAbove, carefulAbove, turnoverLine, refundFee, outdated: _, ...known } = one
  const { upiBefore: _upi, payeeBefore: _payee, upiChangedAt: _at, ...rest } = known
  const shown = {
    ...rest,
    topupMax: toRupees(topupMax),
    stepUpAbove: toRupees(stepUpAbove),
    carefulAbove: carefulAbove && toRupees(carefulAbove),
    turnoverLine: turnoverLine && toRupees(turnoverLine),
    refundFee: toRupees(refundFee),
  }
  return Object.fromEntries(
    Object.entries(shown).filter(
      ([name]) => (one[name as keyof Settings] ?? '') !== (other[name as keyof Settings] ?? ''),
    ),
  )
}
