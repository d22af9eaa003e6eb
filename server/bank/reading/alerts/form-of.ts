/**
 * The wording of a message without what is a person's, in the slots of `wordings.ts`: names and UPI IDs are left out,
 * and every number is a slot. So one wording is one text for all payers, and any part that a payer adds makes another.
 */
import { BANKS } from '../../../../contract/banks.ts'
import { parseRupees } from '../../../../contract/money.ts'
import { DAYS, RS, SUM, TIME } from './slots.ts'

const FORM_LENGTH_MAX = 400
const OF_BANKS = [
  'a c ac acct account alert amount amt an and are at aval available avail avl avlbl bal balance bank been branch by',
  'call clear clr cr credit credited customer cvv cyber date dated dear deposited dial dr ending final for fraud from',
  'has have helpline hrs if immediately imps in info inr is ist limited linked ltd mob mobile neft never new no not',
  'number of on or otp payer payment pin please received ref reference remark remarks report rrn rs rtgs rupees sender',
  'share sms sum team thank the through thru time to total towards transaction transfer transferred txn update upi',
  'user using utr via vpa was with you your',
]
const KNOWN = new Set(
  [...OF_BANKS, ...BANKS.map(({ name }) => name)].flatMap((words) => words.toLowerCase().split(/[^a-z]+/)),
)
const WIRE = '(?<![A-Z0-9])(?=[A-Z]*[0-9])[A-Z0-9]{15,22}(?![A-Z0-9])'
const PIECE = new RegExp(
  [
    String.raw`(?<vpa>[\w.-]{2,80}@[a-z][\w.]{1,30})`,
    String.raw`(?<wire>${WIRE})`,
    String.raw`(?<when>(?<!\d)(?:${DAYS})(?:${TIME})?(?!\d))`,
    String.raw`(?<![A-Z])${RS}(?<money>${SUM})`,
    String.raw`[X*.]{1,20}-?(?<account>\d{2,8})(?!\d)`,
    String.raw`(?<number>\p{Nd}[\p{Nd},]*(?:\.\p{Nd}+)?)`,
    String.raw`(?<word>[\p{L}\p{M}]+?(?=[X*]{1,20}\d|[^\p{L}\p{M}]|$))`,
  ].join('|'),
  'giu',
)
const NAMES = /\{name\}(?:[ .&'’-]*\{name\})+/g

interface Said {
  amountPaise: number
  ref: string
  /** The last digits of the account that the money came to. */
  tail: string
}

/** @returns the wording, and the date that it prints, if it prints one */
export function formOf(text: string, { amountPaise, ref, tail }: Said): { form: string; when: string | undefined } {
  const dates: string[] = []
  const isSum = (written: string) => parseRupees(written) === amountPaise
  const isRef = (written: string) => written.toUpperCase().replace(/^0000(?=\d{12}$)/, '') === ref
  const form = text
    .replaceAll(PIECE, (piece: string, ...rest: unknown[]) => {
      const { vpa, wire, when, money, account, number, word } = rest.at(-1) as Record<string, string | undefined>
      if (vpa !== undefined) return '{vpa}'
      if (when !== undefined) dates.push(when)
      if (when !== undefined) return '{when}'
      if (money !== undefined) return isSum(money) ? '{sum}' : '{bal}'
      if (account !== undefined) return account.endsWith(tail) || tail.endsWith(account) ? '{tail}' : '{n}'
      if (wire !== undefined || number !== undefined)
        return isRef(piece) ? '{ref}' : number !== undefined && isSum(number) ? '{sum}' : '{n}'
      return word !== undefined && KNOWN.has(word.toLowerCase()) ? word : '{name}'
    })
    .replaceAll(NAMES, '{name}')
    .slice(0, FORM_LENGTH_MAX)
  return { form, when: dates[0] }
}

/** True if the places of sum, account and reference are certain, so that the whole text says where each stands. */
export const isCertain = (form: string): boolean =>
  ['sum', 'tail', 'ref'].every((slot) => form.split(`{${slot}}`).length === 2) &&
  form.split('{when}').length <= 2 &&
  form.length < FORM_LENGTH_MAX
