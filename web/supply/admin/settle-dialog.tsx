import { useState } from 'react'
import * as z from 'zod/mini'
import { supply, type SupplyOrder } from '../../../contract/supply.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t, variantText } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Select } from '../../ui/admin/forms/select.tsx'
import { useForm } from '../../ui/admin/forms/use-form.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Textarea } from '../../ui/fields/textarea.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

/** Ends an order by what the owner has seen at the supplier. */
export function SettleDialog({ order, ...dialog }: DialogProps & { order: SupplyOrder }) {
  const { _id: id, number, productName, duration, quantity } = order
  const [text, setText] = useState('')
  const form = useForm({
    dialog,
    start: { id, came: 'keys', keys: [] as string[] },
    input: z.pick(supply.settle.input, { id: true }),
    save: useCall('supply.settle'),
    send: ({ came, keys }) => (came === 'keys' ? { id, keys } : { id }),
    sendsUnchanged: true,
    faults: ({ came, keys }) => ({
      keys:
        came === 'keys' && (keys.length === 0 || keys.length > quantity)
          ? t('Paste 1 to {count, plural, one {# key} other {# keys}}, one a line', { count: quantity })
          : undefined,
    }),
    onSaved: ({ why }) =>
      toast(
        why === 'by-hand' ? t('{number} settled', { number }) : t('The supplier has answered for {number}', { number }),
      ),
  })
  const { draft, change, faults } = form
  return (
    <EditDialog
      {...form.dialog}
      title={t('Did they deliver {number}?', { number })}
      description={t('Find {product} in your purchases there, and choose what came.', {
        product: variantText(productName, duration),
      })}
      submitLabel={t('Settle')}
    >
      <Field label={t('What came')}>
        <Select value={draft.came} onChange={(event) => change({ came: event.target.value, keys: [] })}>
          <option value="keys">{t('Yes, these keys')}</option>
          <option value="nothing">{t('No, nothing came')}</option>
        </Select>
      </Field>
      {draft.came === 'keys' && (
        <Field label={t('Keys')} hint={t('One a line')} error={faults['keys']}>
          <Textarea
            mono
            value={text}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => {
              setText(event.target.value)
              change({ keys: linesOf(event.target.value) })
            }}
          />
        </Field>
      )}
    </EditDialog>
  )
}
