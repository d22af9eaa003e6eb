import { TERMS_CHANGED } from '../../../contract/limits.ts'
import { ApiError } from '../../platform/calls/api-error.ts'
import { getBoot } from '../../platform/calls/boot.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { SupportLink } from '../../ui/page/support-link.tsx'
import { textWith } from '../../ui/text-with.tsx'
import type { AddMoneyRequest } from '../open-add-money.ts'
import { PhoneField } from './phone-field.tsx'
import { failureText, type TopUpForm } from './use-top-up-form.ts'
import { UtrField } from './utr-field.tsx'

/** Asks for what proves the payment, and sends it. */
export function Proof(top: TopUpForm) {
  const { draft, phone, plan, change, fields, failure, missing, isComplete, isSending, isClaimed, withoutPlan } = top
  return (
    <div className="grid grid-cols-1 content-start gap-4">
      <UtrField value={draft.utr} phone={phone} onChange={(utr) => change({ utr })} error={fields['utr']} />
      {isClaimed && <Claimed />}
      <PhoneField value={phone} onChange={(text) => change({ phone: text })} error={fields['payerName']} />
      <ConsentBox checked={draft.agreed} onChange={(agreed) => change({ agreed })} />
      <div>
        <FormError>{failure && <Failure error={failure} plan={plan} onWithoutPlan={withoutPlan} />}</FormError>
        <Button
          type="submit"
          data-decides
          wide
          disabled={!isComplete}
          pending={isSending}
          className={failure ? 'mt-4' : ''}
        >
          {t('Submit request')}
        </Button>
        <p className="mt-2 min-h-4 text-center text-xs text-fg-3">
          {missing.length > 0 && t('Still needed: {things}', { things: missing.join(', ') })}
        </p>
      </div>
    </div>
  )
}

function ConsentBox({ checked, onChange }: { checked: boolean; onChange: (agreed: boolean) => void }) {
  return (
    <Checkbox
      name="terms"
      required
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      label={textWith('I agree to the {terms}', {
        terms: (
          <a
            href="/terms-policy"
            target="_blank"
            rel="noopener"
            className="rounded-chip text-brand underline underline-offset-2"
          >
            {t('terms (updated {date})', { date: t(TERMS_CHANGED) })}
          </a>
        ),
      })}
    />
  )
}

/** The offer is gone as shown. Money paid for it can still be added. */
const PLAN_GONE: ReadonlySet<ApiError['code']> = new Set(['PLAN_NOT_FOUND', 'PLAN_CHANGED'])

interface FailureProps {
  error: Error
  plan: AddMoneyRequest['plan']
  onWithoutPlan: () => void
}

function Failure({ error, plan, onWithoutPlan }: FailureProps) {
  if (plan && error instanceof ApiError && PLAN_GONE.has(error.code)) {
    return (
      <div className="grid justify-items-start gap-2">
        {error.message}
        <Button size="sm" variant="secondary" onClick={onWithoutPlan}>
          {t('Add {amount} without the offer', { amount: formatRupees(plan.amount) })}
        </Button>
      </div>
    )
  }
  return failureText(error)
}

/** What a buyer can do if somebody else has sent the same UTR. Both claims are then shown side by side. */
function Claimed() {
  return (
    <output className="-mt-2 block text-sm text-fg-2">
      {getBoot().supportUrl
        ? t('If this is your payment, ask support: they can see your request.')
        : t('If this is your payment, ask the person who gave you your referral code. They can see your request.')}{' '}
      <SupportLink className="font-semibold text-brand hover:underline">{t('Contact support')}</SupportLink>
    </output>
  )
}
