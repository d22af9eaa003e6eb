import { useRef } from 'react'
import type { Product } from '../../../contract/catalogue.ts'
import { t } from '../../platform/i18n.ts'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { moved } from './product-reorder.ts'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'

interface ProductPlaceDialogProps extends DialogProps {
  id: string
  /** In their present order. */
  products: readonly Product[]
  onOrder: (ids: string[], movedId: string) => void
}

/** Asks for the position of a product. */
export function ProductPlaceDialog({ id, products, onOrder, ...dialog }: ProductPlaceDialogProps) {
  const ids = products.map(({ _id }) => _id)
  const place = ids.indexOf(id)
  const select = useRef<HTMLSelectElement>(null)
  return (
    <EditDialog
      {...dialog}
      title={t('Move {name}', { name: products[place]?.name ?? '' })}
      submitLabel={t('Move')}
      dirty={false}
      pending={false}
      onSubmit={() => {
        const wanted = Number(select.current?.value ?? place)
        if (wanted !== place) onOrder(moved(ids, id, wanted), id)
        dialog.onClose()
      }}
    >
      <Field label={t('Position in the store')} hint={t('You can also move it with the arrow keys on its handle.')}>
        <Select ref={select} defaultValue={place} data-autofocus>
          {products.map(({ _id, name }, index) => (
            <option key={_id} value={index}>
              {index === place
                ? t('{number}: current position', { number: index + 1 })
                : t('{number}: {name}', { number: index + 1, name })}
            </option>
          ))}
        </Select>
      </Field>
    </EditDialog>
  )
}
