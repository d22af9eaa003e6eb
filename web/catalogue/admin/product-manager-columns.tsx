import type { ComponentProps } from 'react'
import { Copy, Eye, EyeOff, GripVertical, KeyRound, Share2 } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { formatCount } from '../../platform/money.ts'
import { Chip } from '../../ui/chip.tsx'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { deleting, editing } from '../../ui/admin/lists/usual-actions.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { ProductCover } from '../../ui/pictures/product-cover.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { PriceLines, PriceTiles } from './product-prices.tsx'
import { worstStock } from './product-stock.ts'

type HandleProps = Omit<ComponentProps<typeof IconButton>, 'icon'>

export interface ProductRows {
  /** Undefined while only some products are shown. */
  handleOf: ((product: Product) => HandleProps) | undefined
  setSwitch: (product: Product, change: Partial<Pick<Product, 'hot' | 'isListed'>>) => void
  edit: (product: Product) => void
  duplicate: (product: Product) => void
  share: (product: Product) => void
  remove: (product: Product) => void
}

export function columnsOf({ handleOf, setSwitch }: ProductRows): Column<Product>[] {
  return [
    {
      title: t('Product'),
      className: 'w-full min-w-60',
      cell: (product) => (
        <div className="flex items-center gap-3">
          <Picture product={product} handleOf={handleOf} />
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
              <span className="wrap-anywhere">{product.name}</span>
              <StateBadges product={product} />
            </p>
            <p className="line-clamp-2 max-w-96 text-xs wrap-break-word text-fg-3">{product.description}</p>
          </div>
        </div>
      ),
    },
    {
      title: t('Durations'),
      cell: (product) => <PriceLines product={product} />,
    },
    {
      title: t('Hot Sale'),
      className: 'w-24 whitespace-nowrap',
      card: 'aside',
      cell: (product, short) => (
        <Switch
          bare={!short}
          short={short}
          quiet
          label={t('Hot Sale for {name}', { name: product.name })}
          checked={product.hot}
          denied={denied(calls.catalogue.update)}
          onChange={(hot) => setSwitch(product, { hot })}
        />
      ),
    },
  ]
}

function Picture({ product, handleOf }: { product: Product } & Pick<ProductRows, 'handleOf'>) {
  return (
    <>
      {handleOf && (
        <IconButton {...handleOf(product)} icon={<GripVertical size={18} aria-hidden />} className="-mx-2" />
      )}
      <ProductCover
        name={product.name}
        sequence={product.sequence}
        picture={product.picture}
        grey={product.available === 0}
        className="h-11 w-14 shrink-0 rounded-control [&>.monogram]:text-[28px]"
      />
    </>
  )
}

export function faceOf(product: Product, { handleOf }: ProductRows): RecordFace {
  return {
    name: product.name,
    picture: <Picture product={product} handleOf={handleOf} />,
    caption: (
      <span className="mt-0.5 flex">
        <StateBadges product={product} />
      </span>
    ),
    children: <PriceTiles product={product} />,
  }
}

export function actionsOf(product: Product, { edit, share, duplicate, setSwitch, remove }: ProductRows): Action[] {
  const { _id, name, isListed = true } = product
  return [
    editing({ name: t('Edit {name}', { name }), denied: denied(calls.catalogue.update), run: () => edit(product) }),
    ...(denied(calls.keys.list)
      ? []
      : [
          {
            label: t('Keys'),
            name: t('Keys of {name}', { name }),
            icon: <KeyRound size={17} aria-hidden />,
            link: { to: '/admin/key-manager' as const, search: { product: _id } },
          },
        ]),
    ...(isListed
      ? [
          {
            label: t('Share'),
            name: t('Share {name}', { name }),
            icon: <Share2 size={17} aria-hidden />,
            run: () => share(product),
          },
        ]
      : []),
    {
      label: t('Duplicate'),
      name: t('Duplicate {name}', { name }),
      icon: <Copy size={17} aria-hidden />,
      denied: denied(calls.catalogue.duplicate),
      run: () => duplicate(product),
    },
    {
      label: isListed ? t('Unlist') : t('List'),
      name: isListed ? t('Unlist {name}', { name }) : t('List {name}', { name }),
      icon: isListed ? <EyeOff size={17} aria-hidden /> : <Eye size={17} aria-hidden />,
      denied: denied(calls.catalogue.update),
      run: () => setSwitch(product, { isListed: !isListed }),
    },
    deleting({
      name: t('Delete {name}', { name }),
      denied: denied(calls.catalogue.remove),
      run: () => remove(product),
    }),
  ]
}

function StateBadges({ product }: { product: Product }) {
  return product.isListed === false ? <Chip>{t('Not listed')}</Chip> : <StockBadge product={product} />
}

function StockBadge({ product }: { product: Product }) {
  if (product.available === 0) return <Chip tone="bad">{t('Out of stock')}</Chip>
  const worst = worstStock(product)
  const left = t('{count} in stock', { count: formatCount(product.available) })
  if (worst === 'ok') return <Chip tone="ok">{left}</Chip>
  return (
    <span className="flex flex-wrap gap-1.5">
      <Chip>{left}</Chip>
      {worst === 'low' ? <Chip tone="warn">{t('Low stock')}</Chip> : <Chip tone="bad">{t('Partly out of stock')}</Chip>}
    </span>
  )
}
