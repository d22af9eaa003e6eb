import { Eye, Trash2 } from 'lucide-react'
import { files } from '../../../platform/admin/download.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import type { Action } from '../../../ui/admin/lists/action-menu.tsx'
import { useExport } from '../../../ui/admin/lists/export-action.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { exportName } from '../export-name.ts'
import type { useFullKeys, KeyManager } from '../use-key-manager.ts'

const AllKeysDeletion = lazyPart(() => import('./key-manager-deletions.tsx').then((file) => file.AllKeysDeletion))

export type FullKeys = ReturnType<typeof useFullKeys>

/** Actions of the key list: export, full keys, and “Delete all”. */
export function useKeyActions(
  { view, product, duration, batchId, status, filter, keys, place, price }: KeyManager,
  fullKeys: FullKeys,
): Action[] {
  const saving = useExport({
    name: exportName(product?.name, duration, batchId && 'batch', status),
    disabled: keys.data?.keys.length === 0,
    fetch: (options) => files.keys.export(filter, options),
  })
  if (view !== 'keys') return []
  const uncovering: Action = {
    label: t('Show full keys'),
    icon: <Eye size={16} aria-hidden />,
    pending: fullKeys.isUncovering,
    run: () => void fullKeys.uncover(),
  }
  return [
    ...(fullKeys.isCovered ? [uncovering] : []),
    saving,
    {
      label: t('Delete all'),
      icon: <Trash2 size={16} aria-hidden />,
      danger: true,
      disabled: price?.available === 0,
      denied: place ? denied(calls.keys.removeAll) : t('Please select a product and duration first.'),
      run: () => place && openDialog(AllKeysDeletion, { place, available: price?.available ?? 0 }),
    },
  ]
}
