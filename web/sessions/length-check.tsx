import { Check } from 'lucide-react'
import { t } from '../platform/i18n.ts'
import { looksCommon } from './common-look.ts'

/** Says that a new password is long enough, unless it is one that everybody guesses. */
export function lengthCheck(password: string, lengthMin: number) {
  if (password.length < lengthMin || looksCommon(password)) return undefined
  return (
    <>
      <Check size={15} aria-hidden />
      {t('Good length')}
    </>
  )
}
