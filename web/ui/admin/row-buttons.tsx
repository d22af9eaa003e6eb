import { Pencil, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { IconButton } from '../icon-button.tsx'

type RowButtonProps = Omit<ComponentProps<typeof IconButton>, 'icon' | 'variant'>

/** Opens the dialog that edits one row. `<EditButton label={t('Edit {name}', { name })} denied onClick />` */
export function EditButton(props: RowButtonProps) {
  return <IconButton {...props} icon={<Pencil size={17} aria-hidden />} />
}

/** Asks before it deletes one row. `<DeleteButton label={t('Delete {name}', { name })} denied onClick />` */
export function DeleteButton(props: RowButtonProps) {
  return <IconButton {...props} variant="danger" icon={<Trash2 size={17} aria-hidden />} />
}
