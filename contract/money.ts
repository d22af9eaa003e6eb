/**
 * Money. Inside, every amount is a whole number of paise (1 rupee = 100 paise), so that sums are exact. On the wire
 * it is a JSON number of rupees with at most two decimals. Only this file converts them.
 */
/** A whole number of paise. Changes and debits may be negative. */
export type Paise = number & { readonly __unit: 'paise' }

/** @throws RangeError unless `value` is a whole, safe number */
export function paise(value: number): Paise {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number of paise`)
  // Turns the negative zero into zero, because Object.is and formatters tell them apart
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

/** Converts paise to the number of rupees on the wire: 49950 → 499.5. */
export function toRupees(amount: Paise): number {
  return amount / 100
}

const GROUPED = /^-?\d+(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/

/**
 * Reads rupees from a person or a client as paise, without ever passing through a fraction: "1,234.50", 19.99,
 * "-5". Undefined unless it is an amount with at most two decimals. A comma groups thousands and lakhs and is no
 * decimal point: "1,00" is refused.
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

// Made with the first amount, because making one takes a while on a phone, when the page should start
let inr: Intl.NumberFormat | undefined
let usd: Intl.NumberFormat | undefined
let whole: Intl.NumberFormat | undefined

/** Returns "1,28,440" for 128440. India groups digits so in all its languages. */
export function formatCount(count: number): string {
  whole ??= new Intl.NumberFormat('en-IN')
  return whole.format(count)
}

/** Formats rupees for people, in lakh grouping: 123456.5 → "₹1,23,456.50", -5 → "−₹5". */
export function formatRupees(rupees: number): string {
  inr ??= new Intl.NumberFormat('en-IN', {
    style: 'currency',
    currency: 'INR',
    trailingZeroDisplay: 'stripIfInteger',
  })
  return inr.format(rupees).replace('-', '−')
}

/** Formats paise for people: 49950 → "₹499.50". */
export const formatPaise = (amount: number): string => formatRupees(toRupees(paise(amount)))

/** Formats the dollar balance, which is display only (specification, section 9). */
export function formatDollars(dollars: number): string {
  usd ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  return usd.format(dollars)
}

/** Formats paise as "499.00", for UPI links and CSV cells. */
export function toDecimalText(amount: Paise): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
