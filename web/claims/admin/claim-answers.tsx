import { useState, type ReactNode } from 'react'
import type { ClaimDetails, RefundRule } from '../../../contract/claims.ts'
import { REASON_LENGTH_MAX } from '../../../contract/limits.ts'
import { amountFault } from '../../payments/add-money/amount-field.tsx'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { WeightyButton } from '../../ui/buttons/weighty-button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Textarea } from '../../ui/fields/textarea.tsx'
import { useDecide, type Decision } from './claims-queries.ts'

/** The field breaks its lines, and the store takes one. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

type Choice =
  | { do: 'replace'; time: 'full' | 'same-end' }
  | { do: 'refund'; rule: RefundRule; expected: number }
  | { do: 'reject' }

/** The three answers, each with what it gives. */
export function ClaimAnswers({ claim, onDone }: { claim: ClaimDetails; onDone: () => void }) {
  const { _id: id, number, reason, canKeepEnd, offers, share, unitPrice, fee, left } = claim
  const decide = useDecide()
  const [answer, setAnswer] = useState('')
  const [time, setTime] = useState<'full' | 'same-end'>(reason === 'stopped' && canKeepEnd ? 'same-end' : 'full')
  const [other, setOther] = useState('')
  const [isTelling, setTelling] = useState<'answer' | 'amount'>()
  const words = oneLine(answer)
  const send = (choice: Choice) => {
    if (decide.isPending) return
    const decision: Decision = { id, answer: words, ...choice }
    decide.mutate(decision, {
      onSuccess() {
        toast(t('{number} answered', { number }))
        onDone()
      },
      onError(error) {
        if (!(error instanceof ApiError) || error.code !== 'CLAIM_DECIDED') return
        toast(errorMessage(error), { tone: 'bad' })
        onDone()
      },
    })
  }
  const refund = (rule: Exclude<RefundRule, 'other'>, label: string, sum: string) => {
    const amount = offers[rule]
    return (
      amount !== null && (
        <Answer sum={sum}>
          <WeightyButton
            variant="secondary"
            wide
            disabled={decide.isPending}
            denied={denied(calls.claims.refund)}
            onClick={() => send({ do: 'refund', rule, expected: amount })}
          >
            {t('{label}: {amount}', { label, amount: formatRupees(amount) })}
          </WeightyButton>
        </Answer>
      )
    )
  }
  const fault = amountFault(other, left)
  return (
    <div className="grid content-start gap-4">
      <Field
        label={t('Answer')}
        hint={t('The buyer will see this. Needed only to reject.')}
        error={isTelling === 'answer' && words === '' ? t('Say why, so that the buyer understands.') : undefined}
      >
        <Textarea
          value={answer}
          rows={2}
          maxLength={REASON_LENGTH_MAX}
          onChange={(event) => setAnswer(event.target.value)}
        />
      </Field>
      <Part title={t('Replace')}>
        {canKeepEnd && (
          <Segmented
            label={t('Time of the new key')}
            value={time}
            onChange={setTime}
            className="w-full"
            options={[
              { value: 'full', label: t('Full time') },
              { value: 'same-end', label: t('Same end') },
            ]}
          />
        )}
        <WeightyButton
          wide
          pending={decide.isPending && decide.variables.do === 'replace'}
          disabled={decide.isPending}
          denied={denied(calls.claims.replace)}
          onClick={() => send({ do: 'replace', time })}
        >
          {t('Replace key')}
        </WeightyButton>
      </Part>
      <Part title={t('Refund')}>
        {refund('full', t('In full'), t('{price}, the whole price', { price: formatRupees(unitPrice) }))}
        {refund(
          'unused',
          t('Unused part'),
          t('{price} × {percent} unused', { price: formatRupees(unitPrice), percent: `${Math.floor(share * 100)}%` }),
        )}
        {refund(
          'terms',
          t('By the terms'),
          t('{price} − {fee} fee', { price: formatRupees(unitPrice), fee: formatRupees(fee) }),
        )}
        <div className="flex items-end gap-2">
          <Field label={t('Other amount (₹)')} error={isTelling === 'amount' ? fault : undefined} className="flex-1">
            <Input
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              className="tabular"
              value={other}
              onChange={(event) => setOther(event.target.value)}
            />
          </Field>
          <WeightyButton
            variant="secondary"
            disabled={decide.isPending}
            denied={denied(calls.claims.refund)}
            onClick={() => {
              setTelling('amount')
              if (fault === undefined)
                send({ do: 'refund', rule: 'other', expected: Number(other.replaceAll(',', '')) })
            }}
          >
            {t('Refund')}
          </WeightyButton>
        </div>
      </Part>
      <WeightyButton
        variant="ghost"
        wide
        disabled={decide.isPending}
        denied={denied(calls.claims.reject)}
        onClick={() => {
          setTelling('answer')
          if (words !== '') send({ do: 'reject' })
        }}
      >
        {t('Reject claim')}
      </WeightyButton>
      <FormError>{decide.error && errorMessage(decide.error)}</FormError>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-2">
      <h3 className="text-sm font-medium text-fg-2">{title}</h3>
      {children}
    </section>
  )
}

/** An answer with its arithmetic under it. */
function Answer({ sum, children }: { sum: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      {children}
      <p className="tabular text-xs text-fg-3">{sum}</p>
    </div>
  )
}
