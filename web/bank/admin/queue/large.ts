import type { BankCredit } from '../../../../contract/bank-shapes.ts'
import { t } from '../../../platform/i18n.ts'
import { useUpi } from '../../../settings/use-upi.ts'

/**
 * Says what every question before a credit says of a large sum that no statement shows.
 * @returns a function of rupees and of what the bank has said; it returns undefined where nothing is to be said
 */
export function useLargeWarning() {
  const carefulAbove = useUpi().data?.carefulAbove ?? Infinity
  return (amount: number, proof: BankCredit['proof'] | undefined): string | undefined =>
    amount >= carefulAbove && proof !== 'statement' && proof !== 'report'
      ? t('A large payment can still be cancelled by the payer.')
      : undefined
}
