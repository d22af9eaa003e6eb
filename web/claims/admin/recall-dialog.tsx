import { useState } from 'react'
import type { KeyBatch } from '../../../contract/keys.ts'
import { NOTE_LENGTH_MAX } from '../../../contract/limits.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { ReasonDialog } from '../../ui/admin/forms/reason-dialog.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'

/** Takes a bad batch out of stock, and opens claims for its sold keys. */
export function RecallDialog({ batch, ...dialog }: DialogProps & { batch: KeyBatch }) {
  const [openClaims, setOpenClaims] = useState(true)
  const { left, sold, productId, duration } = batch
  return (
    <ReasonDialog
      {...dialog}
      title={t('Recall batch of {product}, {duration}?', { product: productId.name, duration: durationText(duration) })}
      description={t('{left} unsold keys leave the stock permanently. {sold} keys were sold.', {
        left: formatCount(left),
        sold: formatCount(sold),
      })}
      submitLabel={t('Recall batch')}
      danger
      denied={denied(calls.claims.recall)}
      field="note"
      lacks={t('Say why this batch is recalled')}
      hint={t('For your own records')}
      lengthMax={NOTE_LENGTH_MAX}
      change={useCall('claims.recall')}
      send={(note) => ({ id: batch._id, note, openClaims })}
      onDone={({ withdrawn, opened }) =>
        toast(
          t('Batch recalled: {withdrawn} withdrawn, {opened} claims opened', {
            withdrawn: formatCount(withdrawn),
            opened: formatCount(opened),
          }),
        )
      }
      foot={
        <Checkbox
          label={t('Open a claim for each sold key that still runs, and notify its buyer')}
          checked={openClaims}
          onChange={(event) => setOpenClaims(event.target.checked)}
        />
      }
    />
  )
}
