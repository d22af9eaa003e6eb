import { useState } from 'react'
import type { KeyBatch } from '../../../../contract/keys.ts'
import { changesOf } from '../../../platform/admin/changes-of.ts'
import { fieldErrorsOf, formErrorOf } from '../../../platform/admin/form-errors.ts'
import { t, variantText } from '../../../platform/i18n.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { costFaultOf, DeliveryFields } from '../delivery-fields.tsx'
import { useEditBatch } from '../key-manager-queries.ts'

interface BatchEditDialogProps extends DialogProps {
  batch: Pick<KeyBatch, '_id' | 'productId' | 'duration' | 'supplier' | 'costPerKey' | 'note' | 'added'>
}

/** Edits supplier, cost and note of a batch, for example when the invoice comes. Its keys do not change. */
export function BatchEditDialog({ batch, ...dialog }: BatchEditDialogProps) {
  const before = {
    supplier: batch.supplier,
    costPerKey: batch.costPerKey === null ? '' : String(batch.costPerKey),
    note: batch.note,
  }
  const [facts, setFacts] = useState(before)
  const edit = useEditBatch()
  const costFault = costFaultOf(facts.costPerKey)
  const submit = () => {
    if (costFault) return
    edit.mutate(
      { id: batch._id, ...changesOf(facts, before) },
      {
        onSuccess: () => {
          toast(t('Batch saved'))
          dialog.onClose()
        },
      },
    )
  }
  return (
    <EditDialog
      {...dialog}
      title={t('Edit batch')}
      description={variantText(batch.productId.name, batch.duration)}
      submitLabel={t('Save changes')}
      dirty={JSON.stringify(facts) !== JSON.stringify(before)}
      pending={edit.isPending}
      error={formErrorOf(edit.error, ['costPerKey'])}
      onSubmit={submit}
    >
      <DeliveryFields
        facts={facts}
        costFault={costFault ?? fieldErrorsOf(edit.error)['costPerKey']}
        count={batch.added}
        onChange={setFacts}
      />
    </EditDialog>
  )
}
