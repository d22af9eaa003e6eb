import * as z from 'zod/mini'
import { claims } from '../../../contract/claims.ts'
import type { KeyBatch } from '../../../contract/keys.ts'
import { REASON_LENGTH_MAX } from '../../../contract/limits.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t, variantText } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { client } from '../../platform/calls/client.ts'
import { useChange, type CallInput } from '../../platform/calls/use-call.ts'

type Answer = 'replace' | 'unused' | 'full'

const START: { do: Answer; answer: string } = { do: 'replace', answer: '' }

/** Answers all claims of the batch. A call answers some, so it is repeated until none is left. */
async function answerAll(bulk: CallInput<'claims.answerAll'>) {
  const sum = { replaced: 0, refunded: 0, left: 0 }
  for (;;) {
    const { replaced, refunded, left } = await client.claims.answerAll(bulk)
    sum.replaced += replaced
    sum.refunded += refunded
    sum.left = left
    if (left === 0 || replaced + refunded === 0) return sum
  }
}

/** Answers all open claims of a batch with one decision. */
export function BatchAnswerDialog({ batch, ...dialog }: DialogProps & { batch: KeyBatch }) {
  const form = useForm({
    dialog,
    start: START,
    input: z.omit(claims.answerAll.input, { id: true }),
    save: useChange('claims', answerAll),
    send: (typed) => ({ id: batch._id, ...typed }),
    sendsUnchanged: true,
    onSaved: ({ replaced, refunded, left }) =>
      toast(
        t('{replaced} replaced, {refunded} refunded, {left} left', {
          replaced: formatCount(replaced),
          refunded: formatCount(refunded),
          left: formatCount(left),
        }),
      ),
  })
  const options: Record<Answer, string> = {
    replace: t('Replace while stock lasts, else refund the unused part'),
    unused: t('Refund the unused part'),
    full: t('Refund in full'),
  }
  return (
    <EditDialog
      {...form.dialog}
      title={t('Answer {count, plural, one {# open claim} other {# open claims}}?', { count: batch.openClaims })}
      description={variantText(batch.productId.name, batch.duration)}
      submitLabel={t('Answer all')}
      denied={denied(calls.claims.answerAll)}
    >
      <Field label={t('What buyers get')}>
        <Select
          data-autofocus
          value={form.draft.do}
          onChange={({ target }) => form.change({ do: target.value as Answer })}
        >
          {Object.entries(options).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <TextField
        {...form.of('answer')}
        label={t('Answer')}
        optional
        hint={t('Buyers will see this.')}
        maxLength={REASON_LENGTH_MAX}
      />
    </EditDialog>
  )
}
