/** What an alert's template is, and the pieces of which banks make their wordings. */
export interface AlertTemplate {
  bank: string
  /** Matches the text with single spaces. Groups: amount, tail, ref, when, name, vpa, note. */
  form: RegExp
  sample: string
}

const AMOUNT = String.raw`(?<amount>\d[\d,]*(?:\.\d{1,2})?)`
export const RS = String.raw`(?:Rs[.:]?|INR|₹) ?`
export const SUM = `${RS}${AMOUNT}`
export const BALANCE = String.raw`${RS}[\d,]+(?:\.\d{1,2})?`
export const TAIL = String.raw`[X*x]*(?<tail>\d{2,6})`
export const REF = String.raw`(?<ref>\d{12})`
export const VPA = String.raw`(?<vpa>\S{3,80})`
export const NAME = String.raw`(?<name>[\p{L}\p{M}\d .&'’]{0,50}?)`
export const DAY = String.raw`\d{1,2}-\d{1,2}-\d{2,4}`
export const when = (form: string): string => `(?<when>${form})`

export const template = (bank: string, form: string, sample: string): AlertTemplate => ({
  bank,
  form: new RegExp(`^${form}$`, 'iu'),
  sample,
})
