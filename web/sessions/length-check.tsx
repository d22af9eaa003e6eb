import { Check } from 'lucide-react'
import { t } from '../platform/i18n.ts'

/** Beginnings of the passwords that are guessed first. The server knows 10,000 of them and decides. */
const FIRST_GUESSED = /^(?:p[a@]ss?w[o0]rd|qwert|asdf|0?123|abc|admin|welcome|letmein|iloveyou|india|krishna|sairam)/i

/** True for a password that is so usual that its length says nothing good of it. */
export function looksCommon(password: string): boolean {
  return FIRST_GUESSED.test(password) || /^(.)\1*$/.test(password)
}

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
