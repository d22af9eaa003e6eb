import { Check } from 'lucide-react'
import { normaliseReferralCode } from '../../../contract/pasted.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import type { ReferralCheck } from './use-referral-check.ts'

const REFERRAL_LENGTH_MAX = 64

interface ReferralFieldProps {
  value: string
  check: ReferralCheck
  fault: string | undefined
  onChange: (event: { target: { value: string } }) => void
}

/** What an invitation brings. Nothing for a code of the store. */
function Gift({ friendGets = 0, minimum = 0 }: Extract<ReferralCheck, { state: 'valid' }>) {
  if (friendGets === 0) return null
  return (
    <span className="block text-fg-2">
      {t('{amount} for you after your first payment of {minimum}.', {
        amount: formatRupees(friendGets),
        minimum: formatRupees(minimum),
      })}
    </span>
  )
}

export function ReferralField({ value, check, fault, onChange }: ReferralFieldProps) {
  return (
    <Field
      label={t('Referral code')}
      error={fault ?? (check.state === 'invalid' ? check.message : undefined)}
      hint={
        check.state === 'checking' ? (
          <span className="flex items-center gap-1.5">
            <span className="spinner" aria-hidden />
            {t('Checking…')}
          </span>
        ) : (
          t('You get one from the store, or from the person who invites you.')
        )
      }
      success={
        check.state === 'valid' ? (
          <>
            <Check size={15} aria-hidden className="shrink-0" />
            <span>
              {t('Code applied')} <Gift {...check} />
            </span>
          </>
        ) : undefined
      }
    >
      <Input
        mono
        name="referralCode"
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        maxLength={REFERRAL_LENGTH_MAX}
        required
        value={value}
        onChange={onChange}
        // An invitation is longer than the field, and all that counts in it is the code
        onPaste={(event) => {
          event.preventDefault()
          onChange({ target: { value: normaliseReferralCode(event.clipboardData.getData('text')) } })
        }}
      />
    </Field>
  )
}
