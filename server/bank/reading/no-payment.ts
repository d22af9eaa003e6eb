/** The words of banks and payment apps for money that no buyer has paid: one list for messages and for statements. */

/** Money that came back, as a code beside a rail or a number. */
export const BACK_CODE = '(?:REV|REVERSAL|RVSL|RET|RETURN|RTN|REFUND|CRADJ|CHARGEBACK|CASHBACK)'

const RAIL = '(?:UPI|IMPS|NEFT|RTGS)'
const CODES = [
  String.raw`(?<![A-Z])${BACK_CODE}[-/:_ ]{1,3}(?:${RAIL}(?![A-Z])|TXN|TRF|OF\b|P2[AMP]\b|\d{6})`,
  String.raw`\b${RAIL}[-/:_ ]{1,3}${BACK_CODE}(?![A-Z]| [A-Z])`,
]
/** Banks write these close to what follows: "UPI/RVSLBank Account". No name begins so. */
export const GLUED_BACK = '(?:RVSL|RFND|CRADJ)'
/** Money that came back, in words. */
const BACK_WORDS = [
  String.raw`revers(?:ed|al|e\b)|\brvsl|\bcradj|refund|\brfnd|charge ?back|declined|\bfailed\b|unsuccessful`,
  String.raw`\b(?:credited|sent|paid|put|given|transferred) back\b|\breturned\b|वापस|रिफ[ंं]?ड|रिवर्स|लौटा`,
]
/** Income from the bank itself. */
const INCOME_WORDS = [
  String.raw`\btowards (?:\w+ )?interest\b`,
  String.raw`\b(?:monthly|quarterly|half.?yearly|savings|credit|sb|fd|rd) interest\b`,
  String.raw`\binterest (?:of|paid|credit|earned|amount|for)|\bint\.? ?(?:pd|paid|cr)\b|\bdividend\b|cash ?back`,
  String.raw`\bpay ?outs?\b|\bsettle(?:d|ment)\b|\bclosure proceeds|\bpos pymt\b|ब्याज|कैशबैक`,
]
/** Companies that pay out a day's sales. Buyers write “Payment from PhonePe”. */
const PAYS_OUT = [
  String.raw`\bphonepe (?:pvt|private|ltd|limited)|\bone ?97\b|\bpaytm payments? serv|\bresilient innov`,
  String.raw`\bbharatpe (?:pvt|private)|\brazorpay (?:soft|pay|pvt)|\bcashfree pay|\bpine ?labs (?:pvt|private|ltd)`,
  String.raw`\bgoogle (?:india )?(?:digital|payments? (?:pvt|private|corp))`,
]

const BACK = new RegExp([...CODES, ...BACK_WORDS].join('|'), 'i')
const PAYOUT = new RegExp(PAYS_OUT.join('|'), 'i')
const INCOME = new RegExp(INCOME_WORDS.join('|'), 'i')

/** @param text without VPAs */
export const saysItCameBack = (text: string): boolean => BACK.test(text)

/** @param text without VPAs */
export const isPayout = (text: string): boolean => PAYOUT.test(text)

/** @param text without VPAs */
export const isIncome = (text: string): boolean => INCOME.test(text)
