/** The store's own settings: one row, made with defaults at the first start. */
import * as z from 'zod/mini'
import { ACCENT_NAMES } from '../../contract/accents.ts'
import { DEFAULT_WEBSITE_NAME, DEFAULT_WEBSITE_TITLE } from '../../contract/limits.ts'
import { textsInOthers, type KeptTexts } from '../../contract/owner-texts.ts'
import type { SettingsText } from '../../contract/settings.ts'
import { sql, type Queries, type Query, type Transaction } from '../platform/database/database.ts'
import { InPaise } from '../platform/in-paise.ts'

const Row = z.object({
  websiteName: z.string(),
  websiteTitle: z.string(),
  /** Empty for no notice. */
  notice: z.string(),
  /** Empty until a UPI address is set. */
  upiId: z.string(),
  /** The name that UPI apps show for it; empty if unknown. */
  payeeName: z.string(),
  /** The UPI address before this one, its name, and when it was replaced. */
  upiBefore: z.string(),
  payeeBefore: z.string(),
  upiChangedAt: z.nullable(z.date()),
  paymentEnabled: z.boolean(),
  /** True if the VPA is a verified merchant's. */
  merchantVpa: z.boolean(),
  topupMax: InPaise,
  /** Days until topped-up credit expires; null for never. */
  topupValidityDays: z.nullable(z.number()),
  supportUrl: z.string(),
  accent: z.enum(ACCENT_NAMES),
  /** The headline for visitors; empty for the usual one. */
  heroLine: z.string(),
  /** Steps of the setup guide that an admin has marked. */
  guide: z.record(z.string(), z.enum(['done', 'skipped'])),
  /** Names of pictures, or null. The feature `pictures` writes them. */
  logo: z.nullable(z.string()),
  shareImage: z.nullable(z.string()),
  /** True if the store can send e-mail. `messages` writes it. */
  mail: z.boolean(),
  /** True if the store can tell buyers anything. */
  tells: z.boolean(),
  /** True if buyers may let the store buy for them. `waiting` writes it. */
  autoBuy: z.boolean(),
  /** True if every admin needs two-step verification, and step-up for risky changes. */
  secondFactorRequired: z.boolean(),
  /** Balance changes above this amount ask an admin for step-up. */
  stepUpAbove: InPaise,
  /** From this amount on a request is approved when the money is in the bank; null for never. */
  carefulAbove: z.nullable(InPaise),
  /** The sales of a financial year at which the owner gets a message; null for none. */
  turnoverLine: z.nullable(InPaise),
  /** What the refund rule of the terms takes off; zero for nothing. */
  refundFee: InPaise,
  /** What the owner adds to the refund policy. */
  refundNote: z.string(),
  translations: z.custom<KeptTexts<SettingsText>>(),
  /** User pages reload when this number changes. */
  version: z.number(),
})
export type Settings = Omit<z.output<typeof Row>, 'translations'> & KeptTexts<SettingsText>

const COLUMNS = sql`website_name, website_title, notice, upi_id, payee_name,
                    upi_before, payee_before, upi_changed_at,
                    payment_enabled, merchant_vpa, topup_max_paise as topup_max,
                    topup_validity_days, support_url,
                    accent, hero_line, guide,
                    (select name from pictures where place = 'logo') as logo,
                    (select name from pictures where place = 'share') as share_image,
                    exists (select from channels where name = 'email' and is_on) as mail,
                    exists (select from channels where name in ('email', 'push') and is_on) as tells,
                    coalesce((select auto_buy from waiting_settings), false) as auto_buy,
                    second_factor_required, step_up_above_paise as step_up_above,
                    careful_above_paise as careful_above, turnover_line_paise as turnover_line,
                    refund_fee_paise as refund_fee, refund_note, translations, version`

/** Creates the row if it is absent. Harmless at any time. */
export async function ensureSettings(db: Queries): Promise<void> {
  await db.run(sql`
    insert into settings (website_name, website_title)
    values (${DEFAULT_WEBSITE_NAME}, ${DEFAULT_WEBSITE_TITLE})
    on conflict (id) do nothing`)
}

export function readSettings(db: Queries): Promise<Settings> {
  return readRow(db, sql(Row)`select ${COLUMNS} from settings`)
}

/** Locks the settings until the transaction ends, so that two admins' changes follow one another. */
export function lockSettings(tx: Transaction): Promise<Settings> {
  return readRow(tx, sql(Row)`select ${COLUMNS} from settings for update`)
}

async function readRow(db: Queries, select: Query<typeof Row>): Promise<Settings> {
  let row = await db.maybe(select)
  if (!row) {
    await ensureSettings(db)
    row = await db.one(select)
  }
  const { translations, ...rest } = row
  return { ...rest, ...translations }
}

export const TRANSLATED: readonly SettingsText[] = ['websiteTitle', 'notice', 'heroLine', 'refundNote']

/** Writes every setting that an admin can change. The row must be locked in this transaction. */
export async function writeSettings(tx: Transaction, settings: Settings): Promise<void> {
  const translations = { ...textsInOthers(settings, TRANSLATED), outdated: settings.outdated }
  await tx.run(sql`
    update settings
       set website_name = ${settings.websiteName}, website_title = ${settings.websiteTitle},
           notice = ${settings.notice},
           upi_id = ${settings.upiId}, payee_name = ${settings.payeeName},
           upi_before = ${settings.upiBefore}, payee_before = ${settings.payeeBefore},
           upi_changed_at = ${settings.upiChangedAt},
           payment_enabled = ${settings.paymentEnabled},
           merchant_vpa = ${settings.merchantVpa},
           topup_max_paise = ${settings.topupMax}, topup_validity_days = ${settings.topupValidityDays},
           support_url = ${settings.supportUrl}, accent = ${settings.accent}, hero_line = ${settings.heroLine},
           guide = ${JSON.stringify(settings.guide)}::jsonb,
           second_factor_required = ${settings.secondFactorRequired},
           step_up_above_paise = ${settings.stepUpAbove}, careful_above_paise = ${settings.carefulAbove},
           turnover_line_paise = ${settings.turnoverLine}, refund_fee_paise = ${settings.refundFee},
           refund_note = ${settings.refundNote},
           translations = ${JSON.stringify(translations)}::jsonb, version = ${settings.version}`)
}
