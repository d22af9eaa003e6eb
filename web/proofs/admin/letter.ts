/** The cover letter of a proof, in the language of the bank. */
import type { Language } from '../../../contract/languages.ts'
import { formatRupees } from '../../../contract/money.ts'
import type { Proof } from '../../../contract/proofs.ts'
import { translator, type Catalogue, type Translate } from '../../../contract/words.ts'
import { middayOf } from '../../../contract/india.ts'
import { isolated, payeeText } from '../../settings/payee-text.ts'
import { indiaDate, indiaDateTime } from './india-dates.ts'

/** @throws TypeError if the words can't be fetched */
export async function speakerOf(language: Language): Promise<Translate> {
  if (language === 'en') return translator('en')
  const { default: words } = await (import('../../words/hi-panel.json') as Promise<{ default: Catalogue }>)
  return translator(language, new Map(Object.entries(words)))
}

/** Whom a letter is for, and what of. Not kept. */
export interface Addressee {
  bank: string
  branch: string
  account: string
  complaint: string
}

/** An alert can be forged, so it proves nothing. */
export const isProven = ({ source }: Proof['bank'][number]): boolean => source === 'statement' || source === 'report'

export const addresseeOf = (t: Translate, { bank, branch, account, complaint }: Addressee): string =>
  [
    bank,
    branch,
    account && t('Account {number}', { number: account }),
    complaint && t('Complaint {number}', { number: complaint }),
  ]
    .filter(Boolean)
    .join('\n')

/** @returns the subject and the paragraphs */
export function letterOf(t: Translate, { store, request, bank, spent, number }: Proof): string[] {
  const credit = bank.find(isProven)
  const payer = [isolated(credit?.payerName), credit?.payerVpa && `(${credit.payerVpa})`].filter(Boolean).join(' ')
  const values = { amount: formatRupees(request.amount), utr: request.utr }
  const to = request.paidTo ?? { upiId: store.upiId, ...(store.payeeName && { name: store.payeeName }) }
  const isShared = spent.some(({ amount, paid }) => amount !== paid)
  const keys = spent.reduce((sum, { quantity }) => sum + quantity, 0)
  const open = spent.flatMap(({ claims }) => claims).filter(({ state }) => state === 'open').length
  return [
    t('Proof of one payment: {amount}, UTR {utr}', values),
    t('{store} sells licence keys online. Buyers pay to {upiId}.', {
      store: store.name,
      upiId: payeeText(to),
    }),
    credit
      ? t('This money came on {day} from {payer}.', {
          day: credit.at ? indiaDateTime(credit.at) : indiaDate(middayOf(credit.day)),
          payer: payer || t('a payer whom the statement does not name'),
        })
      : t('The buyer sent its UTR on {day}. No statement shows this money yet.', {
          day: indiaDateTime(request.filedAt),
        }),
    keys === 0
      ? t('Nothing was bought with it yet.')
      : isShared
        ? t(
            '{count, plural, one {# key was} other {# keys were}} bought with it and other credit of the same buyer. ' +
              'Each was delivered when it was bought.',
            { count: keys },
          )
        : t(
            '{count, plural, one {# key was} other {# keys were}} bought with it. ' +
              'Each was delivered when it was bought.',
            { count: keys },
          ),
    ...(open > 0 ? [t('Complaints of the buyer that are open: {count}.', { count: open })] : []),
    t('The tables below show all that we know of it (proof {number}). Times are those of India.', { number }),
    t('We ask you to look at this one transaction, and to release the rest of the account.'),
  ]
}
