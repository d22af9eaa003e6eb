import { useState } from 'react'
import type { KeyBatch } from '../../../contract/keys.ts'
import { NOTE_LENGTH_MAX } from '../../../contract/limits.ts'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { EditDialog } from '../../ui/admin/forms/edit-dialog.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { useRecall } from './claims-queries.ts'

interface RecallDialogProps {
  open: boolean
  batch: KeyBatch
  onClose: () => void
}

/** Takes a bad batch out of stock, and opens claims for its sold keys. */
export function RecallDialog({ open, batch, onClose }: RecallDialogProps) {
  const recall = useRecall()
  const [note, setNote] = useState('')
  const [openClaims, setOpenClaims] = useState(true)
  const [isTelling, setTelling] = useState(false)
  const { left, sold, productId, duration } = batch
  const refused = recall.error instanceof ApiError ? recall.error.fields['note'] : undefined
  const fault = isTelling && note.trim() === '' ? t('Say why this batch is recalled') : undefined
  return (
    <EditDialog
      open={open}
      onClose={onClose}
      title={t('Recall batch of {product}, {duration}?', { product: productId.name, duration })}
      description={t('{left} unsold keys leave the stock permanently. {sold} keys were sold.', {
        left: formatCount(left),
        sold: formatCount(sold),
      })}
      submitLabel={t('Recall batch')}
      danger
      dirty={note !== ''}
      pending={recall.isPending}
      denied={denied(calls.claims.recall)}
      error={recall.error && refused === undefined ? errorMessage(recall.error) : undefined}
      onSubmit={() => {
        setTelling(true)
        if (note.trim() === '') return
        recall.mutate(
          { id: batch._id, note, openClaims },
          {
            onSuccess({ withdrawn, opened }) {
              toast(
                t('Batch recalled: {withdrawn} withdrawn, {opened} claims opened', {
                  withdrawn: formatCount(withdrawn),
                  opened: formatCount(opened),
                }),
              )
              onClose()
            },
          },
        )
      }}
    >
      <Field label={t('Reason')} hint={t('For your own records.')} error={fault ?? refused}>
        <Input
          data-autofocus
          value={note}
          maxLength={NOTE_LENGTH_MAX}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
      <Checkbox
        label={t('Open a claim for each sold key that still runs, and notify its buyer')}
        checked={openClaims}
        onChange={(event) => setOpenClaims(event.target.checked)}
      />
    </EditDialog>
  )
}
