/** The words of banks and payment apps for money that no buyer has paid: one list for messages and for statements. */
import PHRASES from './phrases.json' with { type: 'json' }

/** Money that came back, as a code beside a rail or a number. */
export const BACK_CODE = '(?:REV|REVERSAL|RVSL|RET|RETURN|RTN|REFUND|CRADJ|DRC|RRC|CHARGEBACK|CASHBACK)'

const RAIL = '(?:UPI|IMPS|NEFT|RTGS)'
/** The same shorter, where no name can stand: "R-UPI", "RV-UPI" and "UPIREV". */
export const SHORT_BACK = `(?:R(?:VS?)?[-/:_]${RAIL}|${RAIL}(?:REV|RVSL|RVRSL|RET|RFND|REFUND))(?![A-Z])`
const CODES = [
  String.raw`(?<![A-Z\d/])${SHORT_BACK}`,
  String.raw`(?<![A-Z])${BACK_CODE}[-/:_ ]{1,3}(?:${RAIL}(?![A-Z])|TXN|TRF|OF\b|P2[AMP]\b|\d{6})`,
  String.raw`\b${RAIL}[-/:_ ]{1,3}${BACK_CODE}(?![A-Z]| [A-Z])`,
]
/** Banks write these close to what follows: "UPI/RVSLBank Account". No name begins so. */
export const GLUED_BACK = '(?:RVSL|RFND|CRADJ)'
/** For a text with any of these phrases. */
export const anyOf = (phrases: readonly string[]): RegExp => new RegExp(phrases.join('|'), 'i')

const BACK = anyOf([...CODES, ...PHRASES.cameBack])
/** Companies that pay out a day's sales. Buyers write “Payment from PhonePe”. */
const PAYOUT = anyOf(PHRASES.paysOut)
/** From the bank itself. */
const INCOME = anyOf(PHRASES.income)

/** @param text without VPAs */
export const saysItCameBack = (text: string): boolean => BACK.test(text)

/** @param text without VPAs */
export const isPayout = (text: string): boolean => PAYOUT.test(text)

/** @param text without VPAs */
export const isIncome = (text: string): boolean => INCOME.test(text)
