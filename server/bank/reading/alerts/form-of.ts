/**
 * The wording of a message without what is a person's: names are left out, and every number is 0. So one wording is
 * one text for all payers.
 */
import { BANKS } from '../../../../contract/banks.ts'
import { withoutVpas } from './read-parts.ts'

const FORM_LENGTH_MAX = 400
const OF_BANKS = [
  'a c ac acct account alert amount amt an and are at aval avail available avl avlbl bal balance bank been branch by',
  'call clear clr cr credit credited customer cvv cyber date dated dear deposited dial dr ending final for fraud from',
  'has have helpline hrs if immediately imps in info inr is ist limited linked ltd mob mobile neft never new no not',
  'number of on or otp payer payment pin please received ref reference remark remarks report rrn rs rtgs rupees sender',
  'share sms sum team thank the through thru time to total towards transaction transfer transferred txn update upi',
  'user using utr via vpa was with you your',
]
const KNOWN = new Set(
  [...OF_BANKS, ...BANKS.map(({ name }) => name)].flatMap((words) => words.toLowerCase().split(/[^a-z]+/)),
)
const OMITTED = '…'

export function formOf(text: string): string {
  return withoutVpas(text)
    .replaceAll(/\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu, '0')
    .replaceAll(/[\p{L}\p{M}]+/gu, (word) => (isOfBanks(word) ? word : OMITTED))
    .replaceAll(/…(?:[ .&'’-]*…)+/g, OMITTED)
    .slice(0, FORM_LENGTH_MAX)
}

const isOfBanks = (word: string): boolean => KNOWN.has(word.toLowerCase()) || /^[Xx]+$/.test(word)
