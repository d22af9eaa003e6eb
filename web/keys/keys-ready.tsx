import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { CircleCheck, FileText } from 'lucide-react'
import type { OwnedKey } from '../../contract/keys.ts'
import { coverOf, type Cover } from '../catalogue/cover-of.ts'
import { useProducts } from '../catalogue/use-products.ts'
import { saveFile } from '../platform/files/save-file.ts'
import { durationText, own, t } from '../platform/i18n.ts'
import { Button } from '../ui/buttons/button.tsx'
import { CopyTextButton } from '../ui/buttons/copy-text-button.tsx'
import { byDashes, Copyable } from '../ui/buttons/copyable.tsx'
import { cx } from '../ui/cx.ts'
import { ProductCover } from '../ui/pictures/product-cover.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { useShowAll } from '../ui/use-show-all.ts'
import { CopyAllButton } from './copy-all-button.tsx'
import { toText } from './export-keys.ts'
import { KeysAtLeast } from './keys-at-least.tsx'
import { KeyUse } from './key-use.tsx'
import { readyText } from './ready-text.ts'
import { useMyKeys } from './use-my-keys.ts'

/** The look of buttons that share a line if their words fit into it. */
export const SHARED_LINE = 'max-sm:min-w-max max-sm:flex-1'

/** The button that copies all of them stays near the first. */
const SHOWN = 5

interface KeysReadyProps {
  /** At least one, of one purchase. */
  keys: readonly OwnedKey[]
  /** True for keys that have come while the buyer looked: the page goes to them, and a screen reader says so. */
  isNew?: boolean
  /** True where something in their shape has held their place. They do not move in then. */
  isStill?: boolean
  /** Under the heading. */
  said?: ReactNode
  /** Between the keys and the buttons. */
  children?: ReactNode
  /** Beside Download. */
  actions?: ReactNode
}

/** The moment that everything leads to: new keys, and how to use them. The same for every way of buying them. */
export function KeysReady(props: KeysReadyProps) {
  return (
    <KeysAtLeast keys={props.keys}>
      <Ready {...props} />
    </KeysAtLeast>
  )
}

function Ready({ keys, isNew = false, isStill = false, said, children, actions }: KeysReadyProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isNew || document.querySelector('dialog[open]')) return
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [isNew])
  const products = useProducts().data
  const { isWhole, showAll, propsOf } = useShowAll()
  // A purchase answers without what comes with its keys
  const mine = useMyKeys().data?.filter(({ _id }) => keys.some((each) => each._id === _id))
  const first = mine?.[0] ?? keys[0]
  if (!first) return null
  const isOne = keys.length === 1
  const shown = isWhole || keys.length <= SHOWN + 1 ? keys : keys.slice(0, SHOWN)
  return (
    <article
      aria-labelledby="keys-ready"
      className={cx(
        'mx-auto w-full max-w-160 min-w-0 overflow-hidden rounded-panel border border-ok/30 bg-surface',
        !isStill && 'rise',
      )}
    >
      <div className="p-4 sm:p-6">
        <Head first={first} cover={coverOf(products, first.productId._id)} {...{ said, heading }} count={keys.length} />
        <ul aria-label={t('Your keys')} className="mt-4 grid gap-2">
          {shown.map(({ _id, key }, at) => (
            <li key={_id} {...propsOf(at, SHOWN)} className="min-w-0">
              {isOne ? (
                <code
                  translate="no"
                  className={
                    'block rounded-control border border-line-2 bg-sunken px-3 py-3 text-center font-mono text-xl ' +
                    'wrap-anywhere select-all'
                  }
                >
                  {byDashes(key)}
                </code>
              ) : (
                <Copyable text={key} what={t('key')} />
              )}
            </li>
          ))}
        </ul>
        <div className="mt-2 grid gap-2">
          {shown.length < keys.length && (
            <Button variant="ghost" size="sm" onClick={showAll}>
              {t('Show all {count} keys', { count: keys.length })}
            </Button>
          )}
          {isOne ? (
            <CopyTextButton variant="primary" text={first.key} what={t('key')} />
          ) : (
            <CopyAllButton keys={keys} variant="primary" />
          )}
        </div>
        <div className="mt-3 empty:hidden">{mine?.[0] && <KeyUse owned={mine[0]} isOpen />}</div>
        {children}
        <div className="mt-4 flex flex-wrap gap-2">
          <Button
            variant="secondary"
            className={SHARED_LINE}
            icon={<FileText size={16} aria-hidden />}
            onClick={() => saveFile('keys.txt', 'text/plain', toText(mine?.length ? mine : keys))}
          >
            {t('Download TXT')}
          </Button>
          {actions}
        </div>
      </div>
    </article>
  )
}

interface HeadProps {
  first: OwnedKey
  cover: Cover
  count: number
  said: ReactNode
  heading: RefObject<HTMLHeadingElement | null>
}

function Head({ first, cover, count, said, heading }: HeadProps) {
  return (
    <div className="flex gap-3">
      <ProductCover
        name={first.productId.name}
        {...cover}
        className="size-20 shrink-0 rounded-control [--monogram:36px]"
      >
        <CircleCheck size={24} aria-hidden className="m-1 rounded-full bg-surface text-ok" />
      </ProductCover>
      <div className="min-w-0">
        <h2 id="keys-ready" ref={heading} tabIndex={-1} className="text-2xl font-semibold">
          {readyText(count)}
        </h2>
        {said && <output className="block text-fg-2">{said}</output>}
        <p className="mt-1 text-sm wrap-anywhere text-fg-2">
          <span className="font-semibold text-fg">{own(first.productId, 'name')}</span>
          {` · ${durationText(first.duration)}`}
          <span className="block">
            {textWith('Valid till {date}', { date: <Time value={first.expiresAt} className="whitespace-nowrap" /> })}
          </span>
        </p>
      </div>
    </div>
  )
}
