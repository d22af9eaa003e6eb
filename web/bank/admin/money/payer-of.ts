import type { BankCredit } from '../../../../contract/bank-shapes.ts'
import { t } from '../../../platform/i18n.ts'

export const payerOf = ({ payer }: BankCredit): string => payer.name || payer.vpa || t('Unknown payer')
