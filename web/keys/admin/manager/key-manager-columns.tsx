import type { ReactNode } from 'react'
import { MessageSquareWarning, Package } from 'lucide-react'
import type { AdminKey } from '../../../../contract/keys.ts'
import { dayOf } from '../../../../contract/india.ts'
import { durationText, t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { AllowedLink } from '../../../platform/admin/allowed-link.tsx'
import { calls } from '../../../platform/admin/roles.ts'
import { Chip } from '../../../ui/chip.tsx'
import { byDashes, CopyButton } from '../../../ui/buttons/copyable.tsx'
import { cx } from '../../../ui/cx.ts'
import { BuyerLink } from '../../../ui/admin/buyer-link.tsx'
import { Email } from '../../../ui/admin/email.tsx'
import type { Column } from '../../../ui/admin/lists/data-table.tsx'
import { Time } from '../../../ui/time.tsx'
import type { Action } from '../../../ui/admin/lists/action-menu.tsx'
import type { RecordFace } from '../../../ui/admin/lists/record-card.tsx'
import { deleting, editing } from '../../../ui/admin/lists/usual-actions.tsx'
import { STATUS_TONES, statusText } from '../key-status.ts'

interface KeyActions {
  edit: (row: AdminKey) => void
  remove: (row: AdminKey) => void
  /** All keys are of one batch, which stands above them. */
  isOneBatch: boolean
}

/** Seven columns, which side by side just fit the panel at 1280 px. */
const CLOSE = 'px-2.5!'

/** @param showPlace keys of several products or durations are listed */
export function columnsOf(showPlace: boolean): Column<AdminKey>[] {
  const place: Column<AdminKey> = {
    title: t('Product'),
    className: cx(CLOSE, 'xl:min-w-44'),
    cell: ({ productId }) => <span className="wrap-break-word">{productId.name}</span>,
    small: ({ duration }) => durationText(duration),
  }
  return [
    {
      title: t('Key'),
      className: 'min-w-60 pr-2!',
      card: 'title',
      cell: (row) => <KeyText row={row} />,
    },
    ...(showPlace ? [place] : []),
    {
      title: t('Status'),
      className: cx(CLOSE, 'w-28'),
      card: 'state',
      cell: ({ status }) => <Chip tone={STATUS_TONES[status]}>{statusText(status)}</Chip>,
    },
    {
      title: t('Buyer'),
      className: CLOSE,
      cell: ({ assignedTo, status }) => {
        if (assignedTo) {
          return (
            <div className="min-w-0">
              <BuyerLink username={assignedTo.username} />
              <span className="block text-xs wrap-anywhere text-fg-3 xl:max-w-36 xl:truncate" title={assignedTo.email}>
                <Email address={assignedTo.email} />
              </span>
            </div>
          )
        }
        return status === 'available' ? null : <span className="text-fg-3">{t('Account closed')}</span>
      },
    },
    { title: t('Purchased'), className: CLOSE, cell: purchaseOf },
    { title: t('Expires'), className: CLOSE, cell: ({ expiresAt }) => momentOf(expiresAt) },
  ]
}

function KeyText({ row: { key, isWhole } }: { row: AdminKey }) {
  if (!isWhole)
    return (
      <code translate="no" className="font-mono text-sm text-fg-2">
        {key}
      </code>
    )
  return (
    <div className="-my-2 flex items-center">
      <code translate="no" className="min-w-0 font-mono text-sm wrap-anywhere">
        {byDashes(key)}
      </code>
      <CopyButton text={key} what={t('key')} />
    </div>
  )
}

export function faceOf(row: AdminKey): RecordFace {
  const { key, productId, duration, status, assignedTo, assignedAt, expiresAt, order } = row
  return {
    name: shortened(key),
    facts: [
      productId.name,
      durationText(duration),
      assignedTo && <BuyerLink key="buyer" username={assignedTo.username} className="inline" />,
      !assignedTo && status !== 'available' && t('Account closed'),
      assignedAt && (
        <Sale key="sale" row={row} className="inline">
          {order && <span className="tabular font-medium">{formatRupees(order.unitPrice)}</span>}{' '}
          <Time value={assignedAt} />
        </Sale>
      ),
      expiresAt && (
        <>
          {t('Expires')} <Time value={expiresAt} />
        </>
      ),
    ],
  }
}

/** A sold key belongs to its buyer and cannot be changed. */
export const actionsOf =
  ({ edit, remove, isOneBatch }: KeyActions) =>
  (row: AdminKey): Action[] =>
    row.status === 'available'
      ? [
          editing({ name: t('Edit key {key}', { key: shortened(row.key) }), run: () => edit(row) }),
          deleting({ name: t('Delete key {key}', { key: shortened(row.key) }), run: () => remove(row) }),
        ]
      : [...claimsOf(row), ...(isOneBatch ? [] : batchOf(row))]

/** Leads to the batch that it came in, where its supplier stands and it can be recalled. */
function batchOf({ key, batchId, productId, duration }: AdminKey): Action[] {
  if (batchId === null) return []
  return [
    {
      label: t('Batch'),
      name: t('Batch of key {key}', { key: shortened(key) }),
      icon: <Package size={17} aria-hidden />,
      link: { to: '/admin/key-manager', search: { product: productId._id, duration, batch: batchId } },
    },
  ]
}

/** Leads to the reports of a sold key. */
function claimsOf({ _id, key, claim }: AdminKey): Action[] {
  if (!claim) return []
  return [
    {
      label: t('Claims'),
      name: t('Claims of key {key}', { key: shortened(key) }),
      icon: <MessageSquareWarning size={17} aria-hidden />,
      link: { to: '/admin/claims', search: { key: _id } },
    },
  ]
}

/** Leads from time and price of a sale to the purchases of that day. */
function Sale({ row, className, children }: { row: AdminKey; className: string; children: ReactNode }) {
  const { assignedAt, assignedTo, order, productId } = row
  if (assignedAt === null || !order || !assignedTo) return <span className={className}>{children}</span>
  const day = dayOf(assignedAt)
  return (
    <AllowedLink
      call={calls.orders.purchases}
      to="/admin/purchases"
      search={{ search: assignedTo.username, product: productId._id, from: day, to: day }}
      aria-label={t('Bought by {username} for {price}', {
        username: assignedTo.username,
        price: formatRupees(order.unitPrice),
      })}
      className={className}
      linkClassName="hover:underline"
    >
      {children}
    </AllowedLink>
  )
}

function purchaseOf(row: AdminKey) {
  if (row.assignedAt === null) return null
  return (
    <Sale row={row} className="block">
      {row.order && <span className="tabular block font-medium">{formatRupees(row.order.unitPrice)}</span>}
      <span className={cx(row.order && 'block text-xs text-fg-3')}>
        <Time value={row.assignedAt} />
      </span>
    </Sale>
  )
}

function momentOf(moment: string | null) {
  return moment === null ? null : <Time value={moment} />
}

const KEY_CHARS_SHOWN = 40

export function shortened(key: string): string {
  return key.length > KEY_CHARS_SHOWN ? `${key.slice(0, KEY_CHARS_SHOWN)}…` : key
}
