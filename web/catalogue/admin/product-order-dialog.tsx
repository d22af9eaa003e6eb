import { useState } from 'react'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import { t } from '../../platform/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { moved } from './product-reorder.ts'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'

interface ProductOrderDialogProps extends DialogProps {
  /** In their present order. */
  products: readonly Product[]
  onOrder: (ids: string[], movedId: string) => void
}

/** All products in a short list, each moved up or down by the thumb. */
export function ProductOrderDialog({ products, onOrder, ...dialog }: ProductOrderDialogProps) {
  const [ordered, setOrdered] = useState(products)
  const place = (id: string, to: number) => {
    const ids = moved(
      ordered.map(({ _id }) => _id),
      id,
      to,
    )
    setOrdered(ordered.toSorted((one, other) => ids.indexOf(one._id) - ids.indexOf(other._id)))
    onOrder(ids, id)
  }
  return (
    <Dialog
      {...dialog}
      title={t('Change order')}
      description={t('Buyers see products in this order.')}
      footer={<Button onClick={dialog.onClose}>{t('Done')}</Button>}
    >
      <ol className="grid divide-y divide-line">
        {ordered.map(({ _id, name }, at) => (
          <li key={_id} className="flex items-center gap-2 py-1">
            <span className="tabular w-6 shrink-0 text-sm text-fg-3">{at + 1}</span>
            <span className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</span>
            <IconButton
              label={t('Move {name} up', { name })}
              icon={<ArrowUp size={18} aria-hidden />}
              variant="outline"
              idle={at === 0}
              onClick={() => place(_id, at - 1)}
            />
            <IconButton
              label={t('Move {name} down', { name })}
              icon={<ArrowDown size={18} aria-hidden />}
              variant="outline"
              idle={at === ordered.length - 1}
              onClick={() => place(_id, at + 1)}
            />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
