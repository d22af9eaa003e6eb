import * as z from 'zod/mini'
import { ACCENT_NAMES } from './accents.ts'
import type { Declarations } from './endpoint.ts'
import { GUIDE_STEPS } from './guide.ts'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import {
  Flag,
  httpsLink,
  line,
  Message,
  paragraphs,
  wholeNumber,
  inOtherLanguages,
  outdatedInOthers,
  saidInOthers,
} from './fields.ts'
import {
  HERO_LINE_LENGTH_MAX,
  NOTICE_LENGTH_MAX,
  REFUND_FEE_MAX_PAISE,
  REFUND_FEE_MIN_PAISE,
  REFUND_NOTE_LENGTH_MAX,
  TITLE_LENGTH_MAX,
  TOPUP_MIN_PAISE,
  TURNOVER_LINES,
} from './limits.ts'
import { paise, toRupees, ZERO } from './money.ts'
import { readSupportLink } from './support-link.ts'
import { PAYEE, PAYEE_LENGTH_MAX, UpiId } from './upi.ts'

const Site = z.object({
  websiteName: z.string(),
  websiteTitle: z.string(),
  supportUrl: z.string().check(z.describe('Where the support button leads; empty for none')),
  accent: z.enum(ACCENT_NAMES).check(z.describe('The colour of links and buttons')),
  heroLine: z.string().check(z.describe('The headline for visitors; empty for the usual one')),
  logo: z.optional(z.string()).check(z.describe('The address of the logo')),
  shareImage: z.optional(z.string()).check(z.describe('The address of the picture of shared links')),
  tells: z.optional(z.literal(true)).check(z.describe('The store sends messages to buyers')),
  autoBuy: z.optional(z.literal(true)).check(z.describe('The store buys for buyers who wait, if they ask for it')),
  mail: z.optional(z.literal(true)).check(z.describe('The store sends e-mail, also to who forgot a password')),
  refundFee: z.optional(Rupees).check(z.describe('What the refund rule takes off, if it is not ₹20')),
  refundNote: z.optional(z.string()).check(z.describe('What the terms add to the refund policy')),
  ...saidInOthers('websiteTitle', 'heroLine', 'refundNote'),
  demo: z.optional(z.literal(true)).check(z.describe('This is the demo, which shows its mails at /demo-mailbox')),
})
/** The name that UPI apps show for the address, as the bank has it. Empty for unknown. */
const PayeeName = line('Name in UPI apps', 0, PAYEE_LENGTH_MAX).check(
  z.regex(PAYEE, {
    error: "Copy the name as your UPI app shows it: letters, digits, spaces and . , ' & - / ( ) _",
  }),
)

const Upi = z.object({
  upiId: z.string(),
  payeeName: z.optional(z.string()).check(z.describe('The name that UPI apps show for this UPI ID, if it is known')),
  paymentEnabled: z.boolean(),
  merchantVpa: z
    .boolean()
    .check(z.describe('True for a verified merchant. UPI apps then accept links and saved QR codes for any amount')),
  topupMax: Rupees.check(z.describe('Maximum top-up, except with a plan')),
  carefulAbove: z.optional(Rupees).check(z.describe('From this amount on, an approval can take up to an hour')),
  approvalMinutes: z
    .optional(z.number())
    .check(z.describe('Median wait of the last 50 reviewed top-ups, in minutes; absent below 5 reviews')),
  checkedOnArrival: z
    .optional(z.literal(true))
    .check(z.describe('Top-ups are approved automatically when a phone forwards the bank’s message')),
  hasOffers: z.optional(z.boolean()).check(z.describe('True while a top-up plan gives more than its amount')),
})
/** Settings that only admins read in full. */
export const StoreSettings = z.object({
  supportUrl: z.string(),
  merchantVpa: z.boolean(),
  topupMax: Rupees.check(z.describe('Maximum top-up')),
  topupValidityDays: z
    .nullable(z.number())
    .check(z.describe('Days after which money from top-ups expires; null for never')),
  secondFactorRequired: z.boolean().check(z.describe('All admins need two-step verification')),
  stepUpAbove: Rupees.check(
    z.describe(
      'Admins must confirm it’s them when what they approve, credit, deduct, promise and ' +
        'replace in 24 hours goes above this amount',
    ),
  ),
  carefulAbove: z
    .nullable(Rupees)
    .check(
      z.describe('From this amount on, a request asks once more until a statement shows its money; null for never'),
    ),
  turnoverLine: z
    .nullable(Rupees)
    .check(z.describe('The sales of a financial year at which owners get a message: ₹10, ₹20 or ₹40 lakh, or null')),
  refundFee: Rupees.check(z.describe('What the refund rule of the terms takes off: 0, or ₹20 to ₹50')),
  refundNote: z.string().check(z.describe('What the terms add to the refund policy')),
  ...saidInOthers('refundNote'),
  outdated: outdatedInOthers('websiteTitle', 'notice', 'heroLine', 'refundNote'),
})
export type StoreSettings = z.output<typeof StoreSettings>
/** The texts of the settings that can be said in other languages. */
export type SettingsText = 'websiteTitle' | 'notice' | 'heroLine' | 'refundNote'

const FEE = 'Enter 0, or ₹20 to ₹50'
const RefundFee = rupeesBetween(ZERO, paise(REFUND_FEE_MAX_PAISE), FEE).check(
  z.refine((fee) => fee === 0 || fee >= REFUND_FEE_MIN_PAISE, { error: FEE }),
)
const LINE = 'Choose ₹10, ₹20 or ₹40 lakh, or none'
const TurnoverLine = rupeesBetween(ZERO, AMOUNT_MAX, LINE).check(
  z.refine((line) => TURNOVER_LINES.some((each) => each === toRupees(line)), { error: LINE }),
)
const VALIDITY = 'Enter 1 to 3650 days, or leave empty for no expiry'
const LINK_MAX = 300
/** Takes a WhatsApp number, a wa.me or t.me address, an e-mail address or an https link, and keeps what it opens. */
const SupportUrl = z.pipe(
  z
    .string({ error: 'Enter a link' })
    .check(
      z.describe('A WhatsApp number, a wa.me or t.me address, an e-mail address, an https link, or empty'),
      z.maxLength(LINK_MAX, { error: `A link can have up to ${LINK_MAX} characters` }),
    ),
  z.transform((written, ctx): string => {
    const link = readSupportLink(written)
    const url = link?.url ?? written.trim()
    if (link?.service === 'Email' || httpsLink(LINK_MAX).safeParse(url).success) return url
    const message = 'Enter a WhatsApp number, an email address, or a link that starts with https://'
    ctx.issues.push({ code: 'custom', message, input: written })
    return ''
  }),
)
const HeroLine = line('Headline', 0, HERO_LINE_LENGTH_MAX)
const RefundNote = paragraphs('Refund note', REFUND_NOTE_LENGTH_MAX)
const NoticeText = paragraphs('Notice', NOTICE_LENGTH_MAX)
const Notice = z.object({ text: z.string(), ...saidInOthers('notice') })

export const settings = {
  site: {
    route: 'GET /settings/site',
    access: 'public',
    summary: 'The name in the header and the title of the page.',
    output: Site,
  },
  saveSite: {
    route: 'PUT /settings/site',
    access: 'admin',
    forOldClients: true,
    summary: 'Saves name and title, and bumps the version so that open pages reload.',
    input: z.object({
      websiteName: line('Website name', 1, TITLE_LENGTH_MAX),
      websiteTitle: line('Website title', 1, TITLE_LENGTH_MAX),
      ...inOtherLanguages({ websiteTitle: line('Website title', 0, TITLE_LENGTH_MAX) }),
    }),
    output: Site,
    refusals: ['STEP_UP_REQUIRED'],
  },
  saveFace: {
    route: 'PUT /settings/face',
    access: 'admin',
    summary: 'Saves the accent and the headline for visitors; absent fields stay. Open pages reload.',
    input: z.object({
      accent: z.optional(z.enum(ACCENT_NAMES, { error: 'Choose one of the accents' })),
      heroLine: z.optional(HeroLine),
      ...inOtherLanguages({ heroLine: HeroLine }),
    }),
    output: Site,
    refusals: ['STEP_UP_REQUIRED'],
  },
  upi: {
    route: 'GET /settings/upi',
    access: 'public',
    summary: 'Where buyers pay, and whether payments are being received.',
    output: Upi,
  },
  saveUpi: {
    route: 'PUT /settings/upi',
    access: 'admin',
    forOldClients: true,
    summary:
      'Saves the UPI ID, its name and the payment switch; absent fields stay. A name belongs to its UPI ID, so ' +
      'another one without a name has none.',
    input: z.object({
      upiId: z.optional(UpiId),
      payeeName: z.optional(PayeeName),
      paymentEnabled: z.optional(Flag),
    }),
    output: Upi,
    refusals: ['STEP_UP_REQUIRED'],
  },
  store: {
    route: 'GET /settings/store',
    access: 'admin',
    summary: 'Support link, merchant VPA, and the terms of top-ups and refunds.',
    output: StoreSettings,
  },
  saveStore: {
    route: 'PUT /settings/store',
    access: 'admin',
    summary: 'Saves support link, merchant VPA and the terms of top-ups and refunds; absent fields stay.',
    input: z.object({
      supportUrl: z.optional(SupportUrl),
      merchantVpa: z.optional(Flag),
      topupMax: z.optional(rupeesBetween(paise(TOPUP_MIN_PAISE), AMOUNT_MAX, 'Maximum top-up must be ₹1 or more')),
      topupValidityDays: z.optional(z.nullable(wholeNumber(1, 3_650, VALIDITY))),
      secondFactorRequired: z.optional(Flag),
      stepUpAbove: z.optional(rupeesBetween(ZERO, AMOUNT_MAX, 'Enter an amount in rupees')),
      carefulAbove: z.optional(
        z.nullable(rupeesBetween(paise(TOPUP_MIN_PAISE), AMOUNT_MAX, 'Enter an amount in rupees, or leave empty')),
      ),
      turnoverLine: z.optional(z.nullable(TurnoverLine)),
      refundFee: z.optional(RefundFee),
      refundNote: z.optional(RefundNote),
      ...inOtherLanguages({ refundNote: RefundNote }),
    }),
    output: StoreSettings,
    refusals: ['STEP_UP_REQUIRED'],
  },
  markGuideStep: {
    route: 'PUT /settings/guide',
    access: 'admin',
    summary: 'Marks a step of the setup guide that the store cannot see, or that is not wanted.',
    input: z.object({ step: z.enum(GUIDE_STEPS), state: z.enum(['done', 'skipped']) }),
    output: Message,
  },
  notice: {
    route: 'GET /notice',
    access: 'public',
    summary: 'The notice on the dashboard; empty for none.',
    output: Notice,
  },
  saveNotice: {
    route: 'PUT /notice',
    access: 'admin',
    forOldClients: true,
    roles: ['support'],
    summary: 'Saves the notice; plain text.',
    input: z.object({ text: NoticeText, ...inOtherLanguages({ notice: NoticeText }) }),
    output: Notice,
    refusals: ['STEP_UP_REQUIRED'],
  },
  version: {
    route: 'GET /settings/version',
    access: 'public',
    summary: 'Returns a number. User pages reload when it changes.',
    output: z.object({ settingsVersion: z.number() }),
  },
  refreshVersion: {
    route: 'POST /settings/refresh-version',
    access: 'admin',
    summary: 'Makes every open user page reload within a minute.',
    output: z.object({ success: z.literal(true), settingsVersion: z.number() }),
  },
} as const satisfies Declarations
