import { useState, type ReactNode } from 'react'
import type { ClaimDetails } from '../../../contract/claims.ts'
import { REASON_LENGTH_MAX } from '../../../contract/limits.ts'
import { amountFault } from '../../payments/add-money/amount-field.tsx'
import { ApiError } from '../../platform/calls/api-error.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { WeightyButton } from '../../ui/buttons/weighty-button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Textarea } from '../../ui/fields/textarea.tsx'
import type { UseMutationResult } from '@tanstack/react-query'
import type { Choice, Decision } from './claims-queries.ts'

/** The field breaks its lines, and the store takes one. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** What is typed, and not sent yet. */
interface AnswerDraft {
  answer: string
  amount: string
}

interface AnswersProps {
  claim: ClaimDetails
  draft: AnswerDraft
  onDraft: (draft: AnswerDraft) => void
}

interface PartProps extends AnswersProps {
  /** What is being sent. */
  doing: Choice | undefined
  send: (choice: Choice) => void
}

/** How a button waits: for its own answer, or for that of another button. */
const busy = (doing: Choice | undefined, isOwn: boolean) => ({
  pending: isOwn,
  disabled: doing !== undefined && !isOwn,
})

interface ClaimAnswersProps extends AnswersProps {
  /** The call, which the dialog holds: the store may tell of the answer before the call returns. */
  decide: UseMutationResult<unknown, Error, Decision>
  onDone: () => void
}

/** The three answers, each with what it gives. */
export function ClaimAnswers({ decide, onDone, ...answers }: ClaimAnswersProps) {
  const { claim, draft, onDraft } = answers
  const { _id: id, number } = claim
  const { answer } = draft
  const [isRejecting, setRejecting] = useState(false)
  const words = oneLine(answer)
  const doing = decide.isPending ? decide.variables : undefined
  const send = (choice: Choice) => {
    if (doing) return
    decide.mutate(
      { id, answer: words, ...choice },
      {
        onSuccess() {
          toast(t('{number} answered', { number }))
          onDone()
        },
        onError(error) {
          // Another admin was first, so there is nothing left to do here
          if (!(error instanceof ApiError) || error.code !== 'CLAIM_DECIDED') return
          toastError(error)
          onDone()
        },
      },
    )
  }
  const part = { ...answers, doing, send }
  return (
    <div className="grid content-start gap-4">
      <Field
        label={t('Answer')}
        hint={t('The buyer will see this. You need it only to reject.')}
        error={isRejecting && words === '' ? t('Say why, so that the buyer understands.') : undefined}
      >
        <Textarea
          value={answer}
          rows={2}
          maxLength={REASON_LENGTH_MAX}
          onChange={(event) => onDraft({ ...draft, answer: event.target.value })}
        />
      </Field>
      <Replacement {...part} />
      <Refunds {...part} />
      <WeightyButton
        variant="ghost"
        wide
        {...busy(doing, doing?.do === 'reject')}
        denied={denied(calls.claims.reject)}
        onClick={() => {
          setRejecting(true)
          if (words !== '') send({ do: 'reject' })
        }}
      >
        {t('Reject claim')}
      </WeightyButton>
    </div>
  )
}

function Replacement({ claim: { reason, canKeepEnd }, doing, send }: PartProps) {
  const [time, setTime] = useState<'full' | 'same-end'>(reason === 'stopped' && canKeepEnd ? 'same-end' : 'full')
  return (
    <Part title={t('Replace')}>
      {canKeepEnd && (
        <Segmented
          label={t('New key lasts')}
          value={time}
          onChange={setTime}
          className="w-full"
          options={[
            { value: 'full', label: t('Full time again') },
            { value: 'same-end', label: t('Until the old date') },
          ]}
        />
      )}
      <WeightyButton
        wide
        {...busy(doing, doing?.do === 'replace')}
        denied={denied(calls.claims.replace)}
        onClick={() => send({ do: 'replace', time })}
      >
        {t('Replace key')}
      </WeightyButton>
    </Part>
  )
}

/** The sums that a rule gives, each with its arithmetic under it, and any other. */
function Refunds(part: PartProps) {
  const { claim, doing, send } = part
  const { offers, share, unitPrice, fee, left } = claim
  const price = formatRupees(unitPrice)
  const percent = `${Math.floor(share * 10_000) / 100}%`
  const rules = [
    { rule: 'full', label: t('In full'), sum: t('{price}, the whole price', { price }) },
    { rule: 'unused', label: t('Unused part'), sum: t('{price} × {percent} unused', { price, percent }) },
    { rule: 'terms', label: t('By the terms'), sum: t('{price} − {fee} fee', { price, fee: formatRupees(fee) }) },
  ] as const
  return (
    <Part title={t('Refund')}>
      {rules.map(({ rule, label, sum }) => {
        const amount = offers[rule]
        if (amount === null) return null
        return (
          <div key={rule} className="grid gap-0.5">
            <WeightyButton
              variant="secondary"
              wide
              {...busy(doing, doing?.do === 'refund' && doing.rule === rule)}
              denied={denied(calls.claims.refund)}
              onClick={() => send({ do: 'refund', rule, expected: amount })}
            >
              {t('{label}: {amount}', { label, amount: formatRupees(amount) })}
            </WeightyButton>
            <p className="tabular text-xs text-fg-3">{sum}</p>
          </div>
        )
      })}
      {left > 0 ? <OtherRefund {...part} /> : <p className="text-sm text-fg-2">{t('Nothing is left to refund.')}</p>}
    </Part>
  )
}

function OtherRefund({ claim: { left }, draft, onDraft, doing, send }: PartProps) {
  const { amount } = draft
  const [isTelling, setTelling] = useState(false)
  const fault = amountFault(amount, left)
  return (
    <div className="flex items-end gap-2">
      <Field label={t('Other amount (₹)')} error={isTelling ? fault : undefined} className="flex-1">
        <Input
          inputMode="decimal"
          maxLength={12}
          value={amount}
          onChange={(event) => onDraft({ ...draft, amount: event.target.value })}
        />
      </Field>
      <WeightyButton
        variant="secondary"
        {...busy(doing, doing?.do === 'refund' && doing.rule === 'other')}
        denied={denied(calls.claims.refund)}
        onClick={() => {
          setTelling(true)
          if (fault === undefined) send({ do: 'refund', rule: 'other', expected: Number(amount.replaceAll(',', '')) })
        }}
      >
        {t('Refund')}
      </WeightyButton>
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
