import { useState } from 'react'
import { t } from '../../platform/i18n.ts'
import { EditDialog } from '../../ui/admin/forms/edit-dialog.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'

interface ProductPlaceDialogProps {
  open: boolean
  name: string
  /** From 0. */
  place: number
  /** In their present order. */
  names: readonly string[]
  onPlace: (to: number) => void
  onClose: () => void
}

/** Asks for the position of a product. */
export function ProductPlaceDialog({ open, name, place, names, onPlace, onClose }: ProductPlaceDialogProps) {
  const [wanted, setWanted] = useState(place)
  return (
    <EditDialog
      open={open}
      title={t('Move {name}', { name })}
      submitLabel={t('Move')}
      dirty={false}
      pending={false}
      onSubmit={() => {
        onPlace(wanted)
        onClose()
      }}
      onClose={onClose}
    >
      <Field label={t('Position in the store')} hint={t('You can also move it with the arrow keys on its handle.')}>
        <Select value={wanted} data-autofocus onChange={(event) => setWanted(Number(event.target.value))}>
          {names.map((present, index) => (
            <option key={present} value={index}>
              {index === place
                ? t('{number}: current position', { number: index + 1 })
                : t('{number}: {name}', { number: index + 1, name: present })}
            </option>
          ))}
        </Select>
      </Field>
    </EditDialog>
  )
}
