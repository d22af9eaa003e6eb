import type * as z from 'zod/mini'
import type { catalogue, Product, ProductText } from '../../../contract/catalogue.ts'
import { parseDuration } from '../../../contract/duration.ts'
import { LOW_STOCK_BELOW_DEFAULT } from '../../../contract/limits.ts'
import { parseRupees, toRupees, ZERO } from '../../../contract/money.ts'
import type { InOthers, OtherTexts } from '../../../contract/owner-texts.ts'
import { changesOf } from '../../platform/admin/changes-of.ts'
import { OTHER_LANGUAGES } from '../../ui/admin/forms/owner-languages.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import type { StepDraft } from './terms/step-fields.tsx'

export const QUICK_DURATIONS = ['10 Days', '1 Month', '5 Months', '1 Year']
export const PRICE_ROWS_MAX = 50

/** One duration and its price, as typed. */
export interface PriceRow {
  /** Stays the same while the row is edited and others come and go. */
  key: number
  /** Absent in a new row. A saved row keeps its stock by it when its duration is renamed. */
  _id?: string
  duration: string
  price: string
  /** Fewer keys than this are few; 0 or nothing is never. */
  lowStockBelow: string
  /** How many one buyer may have, `trial` for one a person, or empty. */
  limit: string
  steps: StepDraft[]
}

export interface ProductDraft extends OtherTexts<ProductText> {
  name: string
  description: string
  hot: boolean
  instructions: string
  downloadUrl: string
  isListed: boolean
  /** Days before a key's end. Empty for as usual. */
  remindDays: string
  prices: PriceRow[]
  /** A data URL; null to remove the picture, undefined to leave it. */
  picture?: string | null
}

const OTHERS = OTHER_LANGUAGES.flatMap(({ suffix }) =>
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
    remindDays: String(product?.remindDays ?? ''),
    ...Object.fromEntries(OTHERS.map((name) => [name, product?.[name] ?? ''])),
    prices: product?.prices.map(rowOf) ?? [emptyRow(0)],
  }
}

function rowOf(row: Product['prices'][number], key: number): PriceRow {
  const { _id, duration, price = 0, listPrice = price, lowStockBelow = 0, perBuyer = '', trial, steps = [] } = row
  return {
    key,
    _id,
    duration,
    price: String(listPrice),
    lowStockBelow: lowStockBelow === 0 ? '' : String(lowStockBelow),
    limit: trial ? 'trial' : String(perBuyer),
    steps: steps.map((step) => ({ from: String(step.from), price: String(step.price) })),
  }
}

export function emptyRow(key: number, duration = ''): PriceRow {
  return { key, duration, price: '', lowStockBelow: String(LOW_STOCK_BELOW_DEFAULT), limit: '', steps: [] }
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

type ProductTerms = z.input<typeof catalogue.create.input>

/** Makes what is sent of what is typed, without checking it. An empty low-stock mark is 0. */
export function termsOf({ picture: _, ...draft }: ProductDraft): ProductTerms {
  const texts = Object.entries(draft).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value])
  return {
    ...(Object.fromEntries(texts) as typeof draft),
    remindDays: draft.remindDays || null,
    prices: draft.prices.map(({ key: _key, duration, price, lowStockBelow, limit, ...row }) => {
      const amount = parseRupees(price)
      return {
        ...row,
        duration: tidyDuration(duration),
        price: amount === undefined ? price : toRupees(amount),
        lowStockBelow: lowStockBelow.trim() || '0',
        perBuyer: limit === 'trial' ? '1' : limit || null,
        trial: limit === 'trial',
      }
    }),
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
    remindDays: t('Remind buyers before a key ends'),
  }
  return t('Someone else changed this while you were editing: {what}. Saving will overwrite their changes.', {
    what: [...new Set(replaced.map((member) => names[member] ?? t('Texts in other languages')))].join(', '),
  })
}

/** Lists effects of saving on keys and buyers that the fields do not show. */
export function consequencesOf(product: Product | undefined, rows: readonly PriceRow[]): string[] {
  const told: string[] = []
  for (const { _id, duration, available } of product?.prices ?? []) {
    const row = rows.find((each) => each._id === _id)
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
