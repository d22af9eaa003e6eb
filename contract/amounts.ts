/** Schemas of amounts. They are apart from money.ts, so that a page can format rupees without loading Zod. */
import * as z from 'zod/mini'
import { paise, parseRupees, toRupees, ZERO, type Paise } from './money.ts'
import { bareAmount } from './pasted.ts'

/** ₹99,99,99,999.99: nine digits before the point, the largest amount that any single field takes. */
export const AMOUNT_MAX = paise(99_999_999_999)

const hundredths = (description: string) =>
  z
    .codec(z.number(), z.number(), {
      decode: (whole) => toRupees(paise(whole)),
      encode: (parts) => paise(Math.round(parts * 100)),
    })
    .check(z.describe(description))

/** An amount on the wire, in rupees: a row's paise become this number. */
export const Rupees = hundredths('Rupees, up to 2 decimal places')

/** Dollars, display only: a row's cents become this number. */
export const Dollars = hundredths('Dollars, display only')

const MORE_DECIMALS = /^\s*-?\d+\.\d{3,}\s*$/

/** Reads an amount in rupees, a number or a numeric string, as paise within the bounds. */
export function rupeesBetween(least: Paise, most: Paise, message: string) {
  return z.pipe(
    z
      .union([z.number(), z.string()], { error: message })
      .check(z.describe(`Rupees, up to 2 decimal places. ${message}`)),
    z.transform((written, ctx): Paise => {
      const amount = parseRupees(typeof written === 'string' ? bareAmount(written) : written)
      if (amount !== undefined && amount >= least && amount <= most) return amount
      const hasMoreDecimals = amount === undefined && MORE_DECIMALS.test(String(written).replaceAll(',', ''))
      ctx.issues.push({
        code: 'custom',
        message: hasMoreDecimals ? 'Enter an amount with at most 2 decimals' : message,
        input: written,
      })
      return ZERO
    }),
  )
}
