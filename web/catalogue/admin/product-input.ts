import * as z from 'zod/mini'
import { catalogue } from '../../../contract/catalogue.ts'
import { parseDuration } from '../../../contract/duration.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { termsOf, type PriceRow } from './product-draft.ts'

/** Checks a draft as the server will. */
export const ProductInput = z.pipe(z.transform(termsOf), catalogue.create.input)

/** Returns the faults of a second row of one duration, which a schema finds only in the list as a whole. */
export function repeatedIn(rows: readonly PriceRow[]): Record<string, string | undefined> {
  const texts = rows.map(({ duration }) => parseDuration(duration)?.text)
  const repeated = texts.flatMap((text, at) =>
    text && texts.indexOf(text) < at
      ? [[`prices.${at}.duration`, t('{duration} is already added', { duration: durationText(text) })]]
      : [],
  )
  return repeated.length === 0 ? {} : { ...Object.fromEntries(repeated), prices: undefined }
}
