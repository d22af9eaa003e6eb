import { useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { Product } from '../../../contract/catalogue.ts'
import { parseRupees, ZERO } from '../../../contract/money.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls, denied } from '../../platform/admin/roles.ts'
import { toastUndo } from '../../platform/admin/toast-undo.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { toastError } from '../../platform/navigation/toast.ts'
import { cx } from '../../ui/cx.ts'
import { Input } from '../../ui/fields/input.tsx'
import { draftOf } from './product-draft.ts'
import { stockState } from './product-stock.ts'
import { useSaveProduct } from './use-save-product.ts'

type Price = Product['prices'][number]
interface PriceProps {
  product: Product
  price: Price
}

const STOCK_TONES = { out: 'text-bad', low: 'text-warn', ok: 'text-fg-2' }

const listed = ({ price = 0, listPrice = price }: Price) => listPrice

/** The prices of a card, each a tile: a tap, the new price, Enter. */
export function PriceTiles({ product }: { product: Product }) {
  return (
    <ul className="grid grid-cols-3 gap-1.5 large-text:grid-cols-1">
      {product.prices.map((price) => (
        <li key={price._id} className="tabular flex min-w-0">
          <EditablePrice
            product={product}
            price={price}
            className="w-full rounded-control bg-hover px-2 py-1.5 text-left"
          >
            <span className="block text-xs text-fg-2">{durationText(price.duration)}</span>
            <span className="block font-semibold wrap-anywhere">{formatRupees(listed(price))}</span>
            <span className={cx('block text-xs', STOCK_TONES[stockState(price)])}>{stockText(price)}</span>
          </EditablePrice>
        </li>
      ))}
    </ul>
  )
}

/** Each duration of a table's row with its list price, and the keys that are left of it, which lead to the keys. */
export function PriceLines({ product }: { product: Product }) {
  return (
    // One grid for all, so that a large price moves every line
    <ul className="tabular grid grid-cols-[minmax(4.5rem,max-content)_max-content_auto] items-center gap-x-2 gap-y-0.5">
      {product.prices.map((price) => (
        <li key={price._id} className="contents">
          <span className="whitespace-nowrap text-fg-2">{durationText(price.duration)}</span>
          <EditablePrice
            product={product}
            price={price}
            className="min-w-17 rounded-chip px-1 text-right font-medium hover:bg-hover"
          >
            {formatRupees(listed(price))}
          </EditablePrice>
          <StockLink product={product} price={price} />
        </li>
      ))}
    </ul>
  )
}

function stockText({ available }: Price): string {
  return available === 0 ? t('Out of stock') : t('{count} left', { count: formatCount(available) })
}

function StockLink({ product: { _id, name }, price }: PriceProps) {
  const { duration, available, lowStockBelow = 0 } = price
  return (
    <AllowedLink
      call={calls.keys.list}
      to="/admin/key-manager"
      search={{ product: _id, duration }}
      aria-label={t('{count, plural, one {# key} other {# keys}} of {name}, {duration}', {
        count: available,
        name,
        duration: durationText(duration),
      })}
      className={cx('rounded-chip px-1.5 py-0.5 text-right whitespace-nowrap', STOCK_TONES[stockState(price)])}
      linkClassName="hover:bg-hover"
    >
      {stockText(price)}
      {stockState(price) === 'low' && (
        <span className="sr-only">{t(', fewer than {mark}', { mark: formatCount(lowStockBelow) })}</span>
      )}
    </AllowedLink>
  )
}

interface EditablePriceProps extends PriceProps {
  className: string
  children: ReactNode
}

/** A price that becomes a field when pressed. Enter or leaving saves, with a way back; Escape leaves it as it was. */
function EditablePrice({ product, price, className, children }: EditablePriceProps) {
  const { name } = product
  const { duration } = price
  const button = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  /** Going away, the field says once more that it was left. */
  const isOpen = useRef(false)
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const { isPending, submit } = usePriceChange({ product, price })
  if (denied(calls.catalogue.update)) return <div className={className}>{children}</div>

  const close = () => {
    const isHere = document.activeElement === input.current
    isOpen.current = false
    flushSync(() => {
      setTyped(undefined)
      setFault(undefined)
    })
    if (isHere) button.current?.focus({ preventScroll: true })
  }
  const open = () => {
    isOpen.current = true
    setTyped(String(listed(price)))
  }
  const save = async (isLeaving: boolean) => {
    if (typed === undefined || isPending || !isOpen.current) return
    const refused = await submit(typed)
    if (refused === undefined || isLeaving) close()
    else setFault(refused)
  }
  if (typed === undefined) {
    return (
      <button ref={button} type="button" className={className} onClick={open}>
        {children}
        <span className="sr-only">
          {' '}
          {t('Change price of {name}, {duration}', { name, duration: durationText(duration) })}
        </span>
      </button>
    )
  }
  return (
    <span className="block w-full min-w-0">
      <Input
        ref={input}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that it replaces had the focus
        autoFocus
        aria-label={t('Price of {name}, {duration} (₹)', { name, duration: durationText(duration) })}
        inputMode="decimal"
        enterKeyHint="done"
        value={typed}
        readOnly={isPending}
        aria-invalid={fault ? true : undefined}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => void save(true)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') void save(false)
          if (key === 'Escape') close()
        }}
        className="px-2!"
      />
      {fault && (
        <span role="alert" className="block text-xs text-bad">
          {fault}
        </span>
      )}
    </span>
  )
}

/** Saves one price. `submit` returns why it was refused, which a message says too when the server refused it. */
function usePriceChange({ product, price }: PriceProps) {
  const save = useSaveProduct()
  const draftWith = (typed: string, of = product) => {
    const draft = draftOf(of)
    return { ...draft, prices: draft.prices.map((row) => (row._id === price._id ? { ...row, price: typed } : row)) }
  }
  const change = (typed: string, of = product) => save.mutateAsync({ product: of, draft: draftWith(typed, of) })
  const submit = async (typed: string): Promise<string | undefined> => {
    const before = String(listed(price))
    const isPrice = (parseRupees(typed) ?? -1) >= ZERO
    const fault = isPrice ? undefined : t('Enter a price from ₹0')
    if (fault || typed.trim() === before) return fault
    try {
      const saved = await change(typed)
      const now = saved?.prices.find(({ _id }) => _id === price._id)
      if (!saved || !now) return undefined
      const words = { name: product.name, duration: durationText(price.duration) }
      toastUndo(
        t('{name}, {duration}: {price}', { ...words, price: formatRupees(listed(now)) }),
        () => change(before, saved),
        () => t('{name}, {duration}: {price}', { ...words, price: formatRupees(listed(price)) }),
      )
      return undefined
    } catch (error) {
      toastError(error)
      return errorMessage(error)
    }
  }
  return { isPending: save.isPending, submit }
}
