import type { Product, ProductText } from '../../../contract/catalogue.ts'
import { parseDuration } from '../../../contract/duration.ts'
import {
  DESCRIPTION_LENGTH_MAX,
  INSTRUCTIONS_LENGTH_MAX,
  LOW_STOCK_BELOW_DEFAULT,
  LOW_STOCK_BELOW_MAX,
  TITLE_LENGTH_MAX,
} from '../../../contract/limits.ts'
import { parseRupees, toRupees, ZERO } from '../../../contract/money.ts'
import type { InOthers, OtherTexts } from '../../../contract/owner-texts.ts'
import { changesOf } from '../../platform/admin/changes-of.ts'
import { OTHER_LANGUAGES } from '../../ui/admin/forms/owner-languages.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'

export const QUICK_DURATIONS = ['10 Days', '1 Month', '5 Months', '1 Year']
export const PRICE_ROWS_MAX = 50

/** A product as the editor holds it. A row that keeps its id keeps its stock when its duration is renamed. */
interface ProductTerms extends Omit<ProductDraft, 'rows'> {
  prices: { _id?: string; duration: string; price: number; lowStockBelow?: number }[]
}

/** One duration and its price, as typed. */
export interface PriceRow {
  /** Stays the same while the row is edited and others come and go. */
  key: number
  /** Only in a saved row. */
  id?: string
  duration: string
  price: string
  /** Fewer keys than this are few; 0 or nothing is never. */
  lowStockBelow: string
}

export interface ProductDraft extends OtherTexts<ProductText> {
  name: string
  description: string
  hot: boolean
  instructions: string
  downloadUrl: string
  isListed: boolean
  rows: PriceRow[]
}

export const OTHERS = OTHER_LANGUAGES.flatMap(({ suffix }) =>
  ['name', 'description', 'instructions'].map((name) => `${name}${suffix}` as InOthers<ProductText>),
)

export function draftOf(product?: Product): ProductDraft {
  return {
    name: product?.name ?? '',
    description: product?.description ?? '',
    hot: product?.hot ?? false,
    instructions: product?.instructions ?? '',
    downloadUrl: product?.downloadUrl ?? '',
    isListed: product?.isListed ?? true,
    ...Object.fromEntries(OTHERS.map((name) => [name, product?.[name] ?? ''])),
    rows: product?.prices.map(({ _id, duration, price = 0, listPrice = price, lowStockBelow = 0 }, index) => ({
      key: index,
      id: _id,
      duration,
      price: String(listPrice),
      lowStockBelow: lowStockBelow === 0 ? '' : String(lowStockBelow),
    })) ?? [emptyRow(0)],
  }
}

export function emptyRow(key: number, duration = ''): PriceRow {
  return { key, duration, price: '', lowStockBelow: String(LOW_STOCK_BELOW_DEFAULT) }
}

/** Puts a chosen duration into the first row without one, or into a new row. */
export function withDuration(rows: readonly PriceRow[], duration: string): PriceRow[] {
  const empty = rows.findIndex((row) => row.duration.trim() === '')
  if (empty === -1) return [...rows, emptyRow(nextKey(rows), duration)]
  return rows.map((row, index) => (index === empty ? { ...row, duration } : row))
}

export function nextKey(rows: readonly PriceRow[]): number {
  return Math.max(-1, ...rows.map((row) => row.key)) + 1
}

/** "1day" → "1 Day". Other text stays as typed. */
export function tidyDuration(written: string): string {
  return parseDuration(written)?.text ?? written.trim()
}

interface RowFaults {
  duration?: string
  price?: string
  lowStockBelow?: string
}

export interface ProductFaults {
  name?: string
  description?: string
  instructions?: string
  downloadUrl?: string
  /** The fault of all rows together. */
  prices?: string
  /** By the index of the row. */
  rows: RowFaults[]
}

/** Returns the error of each field. The server checks the same and decides. */
export function faultsOf({ name, description, instructions, downloadUrl, rows }: ProductDraft): ProductFaults {
  const seen = new Set<string>()
  const nameFault = name.trim() === '' ? t('Name is required') : tooLong(name, TITLE_LENGTH_MAX)
  const descriptionFault = tooLong(description, DESCRIPTION_LENGTH_MAX)
  const instructionsFault = tooLong(instructions, INSTRUCTIONS_LENGTH_MAX)
  const isLink = downloadUrl.trim() === '' || /^https:\/\/\S+$/.test(downloadUrl.trim())
  return {
    ...(nameFault && { name: nameFault }),
    ...(descriptionFault && { description: descriptionFault }),
    ...(instructionsFault && { instructions: instructionsFault }),
    ...(!isLink && { downloadUrl: t('Enter a link that starts with https://') }),
    ...(rows.length === 0 && { prices: t('Add at least one duration') }),
    rows: rows.map((row) => {
      const duration = durationFault(row.duration, seen)
      const price = priceFault(row.price)
      const lowStockBelow = markFault(row.lowStockBelow)
      return { ...(duration && { duration }), ...(price && { price }), ...(lowStockBelow && { lowStockBelow }) }
    }),
  }
}

function tooLong(text: string, most: number): string | undefined {
  return text.trim().length > most ? t('Use up to {most} characters', { most }) : undefined
}

function durationFault(written: string, seen: Set<string>): string | undefined {
  if (written.trim() === '') return t('Enter a duration')
  const parsed = parseDuration(written)
  if (!parsed) return t('Use a format like 10 Days, 5 Months or 1 Year')
  if (seen.has(parsed.text)) return t('{duration} is already added', { duration: durationText(parsed.text) })
  seen.add(parsed.text)
  return undefined
}

function priceFault(written: string): string | undefined {
  if (written.trim() === '') return t('Enter a price')
  const price = parseRupees(written)
  return price === undefined || price < ZERO ? t('Enter an amount in ₹, up to 2 decimal places') : undefined
}

function markFault(written: string): string | undefined {
  const isWhole = /^\s*\d*\s*$/.test(written) && Number(written) <= LOW_STOCK_BELOW_MAX
  return isWhole ? undefined : t('Enter a whole number, or leave empty for no alert')
}

export function isFaulty({ rows, ...fields }: ProductFaults): boolean {
  return Object.values(fields).some(Boolean) || rows.some((row) => row.duration ?? row.price ?? row.lowStockBelow)
}

/** Returns the product to send. The draft must have no faults. */
export function termsOf({ rows, ...draft }: ProductDraft): ProductTerms {
  return {
    ...draft,
    ...Object.fromEntries(OTHERS.map((name) => [name, draft[name]?.trim()])),
    name: draft.name.trim(),
    description: draft.description.trim(),
    instructions: draft.instructions.trim(),
    downloadUrl: draft.downloadUrl.trim(),
    prices: rows.map((row) => ({
      ...(row.id !== undefined && { _id: row.id }),
      duration: tidyDuration(row.duration),
      price: toRupees(parseRupees(row.price) ?? ZERO),
      lowStockBelow: Number(row.lowStockBelow),
    })),
  }
}

/** Returns only the fields that the admin changed. */
export const changeOf = (opened: Product, draft: ProductDraft): Partial<ProductTerms> =>
  changesOf(termsOf(draft), termsOf(draftOf(opened)))

/** Names what a save would replace that has been changed elsewhere since the product was opened, if anything. */
export function replacedBy(draft: ProductDraft, opened: Product, latest: Product | undefined): string | undefined {
  if (!latest) return undefined
  const [now, change] = [termsOf(draftOf(latest)), changeOf(opened, draft)]
  // A save whose answer was lost has given new rows their ids
  const bare = (value: unknown) => JSON.stringify(value, (key, inner: unknown) => (key === '_id' ? undefined : inner))
  const replaced = Object.keys(changesOf(now, termsOf(draftOf(opened)))).filter(
    (name) => name in change && bare(now[name as keyof ProductTerms]) !== bare(change[name as keyof ProductTerms]),
  )
  if (replaced.length === 0) return undefined
  const names: Record<string, string> = {
    name: t('Name'),
    description: t('Description'),
    prices: t('Durations and prices'),
    hot: t('Hot Sale'),
    instructions: t('How to activate'),
    downloadUrl: t('Download link'),
    isListed: t('Listed'),
  }
  return t('Someone else changed this while you were editing: {what}. Saving will overwrite their changes.', {
    what: [...new Set(replaced.map((member) => names[member] ?? t('Texts in other languages')))].join(', '),
  })
}

/** Lists effects of saving on keys and buyers that the fields do not show. */
export function consequencesOf(product: Product | undefined, rows: readonly PriceRow[]): string[] {
  const told: string[] = []
  for (const { _id, duration, available } of product?.prices ?? []) {
    const row = rows.find((each) => each.id === _id)
    if (!row && available > 0) {
      told.push(
        t(
          '{duration} will be removed from the store. {count, plural, one {# unsold key is} other {# unsold keys ' +
            'are}} kept, and can be sold if you add this duration again.',
          { duration: durationText(duration), count: available },
        ),
      )
    }
    const renamed = row && parseDuration(row.duration)?.text
    if (renamed && renamed !== duration && available > 0) {
      told.push(
        t(
          '{count, plural, one {# unsold {duration} key} other {# unsold {duration} keys}} will now be sold as ' +
            '{renamed}.',
          {
            count: available,
            duration: durationText(duration),
            renamed: durationText(renamed),
          },
        ),
      )
    }
  }
  for (const row of rows) {
    if (parseRupees(row.price) === ZERO) {
      told.push(
        t('{duration} at {price} will show in the store, but buyers can’t buy it.', {
          duration: durationText(tidyDuration(row.duration)) || t('A duration'),
          price: formatRupees(0),
        }),
      )
    }
  }
  return told
}
