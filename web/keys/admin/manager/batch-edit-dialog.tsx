import * as z from 'zod/mini'
import { keys, type KeyBatch } from '../../../../contract/keys.ts'
import { t, variantText } from '../../../platform/i18n.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { useForm } from '../../../ui/admin/forms/use-form.tsx'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { costFaultOf, DeliveryFields } from '../delivery-fields.tsx'
import { useCall } from '../../../platform/calls/use-call.ts'
import { costOf } from '../key-manager-queries.ts'

interface BatchEditDialogProps extends DialogProps {
  batch: Pick<KeyBatch, '_id' | 'productId' | 'duration' | 'supplier' | 'costPerKey' | 'note' | 'added'>
}

/** Without the cost: an empty one means that it is unknown. */
const Input = z.pick(keys.editBatch.input, { supplier: true, note: true })

/** Edits supplier, cost and note of a batch, for example when the invoice comes. Its keys do not change. */
export function BatchEditDialog({ batch, ...dialog }: BatchEditDialogProps) {
  const form = useForm({
    dialog,
    start: { supplier: batch.supplier, costPerKey: String(batch.costPerKey ?? ''), note: batch.note },
    input: Input,
    save: useCall('keys.editBatch'),
    send: (_, { costPerKey, ...facts }) => ({
      id: batch._id,
      ...facts,
      ...(costPerKey !== undefined && { costPerKey: costOf(costPerKey) }),
    }),
    faults: ({ costPerKey }) => ({ costPerKey: costFaultOf(costPerKey) }),
    onSaved: () => toast(t('Batch saved')),
  })
  return (
    <EditDialog
      {...form.dialog}
      title={t('Edit batch')}
      description={variantText(batch.productId.name, batch.duration)}
      submitLabel={t('Save changes')}
    >
      <DeliveryFields
        facts={form.draft}
        costFault={form.faults['costPerKey']}
        count={batch.added}
        onChange={form.change}
      />
    </EditDialog>
  )
}
