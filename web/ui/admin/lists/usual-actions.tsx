import { Pencil, Trash2 } from 'lucide-react'
import { t } from '../../../platform/i18n.ts'
import type { Action } from './action-menu.tsx'

type Rest = Omit<Action, 'label' | 'icon' | 'danger'>

/** Opens the dialog that edits a record: `editing({ name: t('Edit {name}', { name }), run, denied })`. */
export const editing = (rest: Rest): Action => ({ label: t('Edit'), icon: <Pencil size={17} aria-hidden />, ...rest })

/** Asks before it deletes a record. */
export const deleting = (rest: Rest): Action => ({
  label: t('Delete'),
  icon: <Trash2 size={17} aria-hidden />,
  danger: true,
  ...rest,
})
