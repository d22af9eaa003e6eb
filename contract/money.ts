/**
 * Money. Inside, every amount is a whole number of paise (1 rupee = 100 paise), so that sums are
 * exact; on the wire it is a JSON number of rupees with at most two decimals. This file is the only
 * place where one becomes the other.
 */
/** A whole number of paise; may be negative where a change or a debit is meant. */
export type Paise = number & { readonly __unit: 'paise' }

/** @throws RangeError when `value` is not a whole, safe number. */
export function paise(value: number): Paise {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number of paise`)
  // Never the negative zero, which is not what it looks like to Object.is and to a formatter
  return (value === 0 ? 0 : value) as Paise
}

export const ZERO = paise(0)

export function add(...amounts: readonly Paise[]): Paise {
  return paise(amounts.reduce<number>((sum, amount) => sum + amount, 0))
}

export function negate(amount: Paise): Paise {
  return paise(0 - amount)
}

export function times(amount: Paise, quantity: number): Paise {
  return paise(amount * quantity)
}

/** Paise → the number of rupees that goes on the wire: 49950 → 499.5. */
export function toRupees(amount: Paise): number {
  return amount / 100
}

const GROUPED = /^-?\d+(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/

/**
 * Rupees as a person or a client writes them → paise, without ever passing through a fraction:
 * "1,234.50", 19.99, "-5". Undefined for anything that is not an amount with at most two decimals. A comma groups thousands
 * and lakhs, and is no decimal point: "1,00" is neither a hundred nor one.
 */
export function parseRupees(written: number | string): Paise | undefined {
  const grouped = String(written).trim()
  if (grouped.includes(',') && !GROUPED.test(grouped)) return undefined
  const text = grouped.replaceAll(',', '')
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text)
  if (!match) return undefined
  const [, sign, whole = '0', fraction = ''] = match
  const amount = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return paise(sign && amount > 0 ? -amount : amount)
}

// Made when the first amount is written: on a phone each takes a while, and the page is started meanwhile
let inr: Intl.NumberFormat | undefined
let usd: Intl.NumberFormat | undefined

/** Rupees as the wire carries them → what a person reads, in lakh grouping: 123456.5 → "₹1,23,456.50", -5 → "−₹5". */
export function formatRupees(rupees: number): string {
  inr ??= new Intl.NumberFormat('en-IN', {
    style: 'currency',
    currency: 'INR',
    trailingZeroDisplay: 'stripIfInteger',
  })
  return inr.format(rupees).replace('-', '−')
}

/** The dollar balance is display only (specification, section 9). */
export function formatDollars(dollars: number): string {
  usd ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  return usd.format(dollars)
}

/** Paise → "499.00", the form that a UPI link and a CSV cell take. */
export function toDecimalText(amount: Paise): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
