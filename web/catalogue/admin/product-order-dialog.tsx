import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import { t } from '../../platform/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'

interface ProductOrderDialogProps {
  open: boolean
  /** In their present order. */
  products: readonly Product[]
  onPlace: (id: string, to: number) => void
  onClose: () => void
}

/** All products in a short list, each moved up or down by the thumb. */
export function ProductOrderDialog({ open, products, onPlace, onClose }: ProductOrderDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('Change order')}
      description={t('Buyers see products in this order.')}
      footer={<Button onClick={onClose}>{t('Done')}</Button>}
    >
      <ol className="grid divide-y divide-line">
        {products.map(({ _id, name }, at) => (
          <li key={_id} className="flex items-center gap-2 py-1">
            <span className="tabular w-6 shrink-0 text-sm text-fg-3">{at + 1}</span>
            <span className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</span>
            <IconButton
              label={t('Move {name} up', { name })}
              icon={<ArrowUp size={18} aria-hidden />}
              variant="outline"
              idle={at === 0}
              onClick={() => onPlace(_id, at - 1)}
            />
            <IconButton
              label={t('Move {name} down', { name })}
              icon={<ArrowDown size={18} aria-hidden />}
              variant="outline"
              idle={at === products.length - 1}
              onClick={() => onPlace(_id, at + 1)}
            />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
