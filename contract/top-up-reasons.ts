/** Why a request was rejected. The table has codes for the store's own reasons, and an admin's words as they are. */
import * as z from 'zod/mini'
import { formatPaise } from './money.ts'

export const ACCOUNT_CLOSED = 'account-closed'
/** @param amount in paise */
export const bankShows = (amount: number): string => `bank-shows ${amount}`

export const reasonInWords = (stored: string): string =>
  stored === ACCOUNT_CLOSED
    ? 'The account was closed'
    : stored.replace(/^bank-shows (\d{1,15})$/, (_, amount) => `The bank shows ${formatPaise(Number(amount))}`)

/** A reason of the table, as people read it. */
export const ReasonInWords = z.nullable(z.pipe(z.string(), z.transform(reasonInWords)))
