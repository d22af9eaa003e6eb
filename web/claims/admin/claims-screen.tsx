import { keepPreviousData } from '@tanstack/react-query'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { MessageSquareWarning, MessagesSquare } from 'lucide-react'
import { ClaimReason, type Claim } from '../../../contract/claims.ts'
import { CLAIMS_PAGE_SIZE } from '../../../contract/limits.ts'
import { middayOf } from '../../../contract/india.ts'
import { claimsOn, claimsShown, type PanelSearch } from '../../../contract/panel-pages.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { agoText } from '../../platform/ago.ts'
import { useNow } from '../../platform/clock.ts'
import { formatDate, formatExact } from '../../platform/dates.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { navigate, useSearch } from '../../platform/navigation/router.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import { BuyerLink } from '../../ui/admin/buyer-link.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import { LinkFilter } from '../../ui/admin/lists/link-filter.tsx'
import { Nothing } from '../../ui/admin/lists/nothing.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Time } from '../../ui/time.tsx'
import { reasonText, STATUS_TONES, statusText } from '../claim-words.ts'
import { CLAIMS_POLL_MS } from './claims-queries.ts'

const ClaimDialog = lazyPart(() => import('./claim-dialog.tsx').then((file) => file.ClaimDialog))

const PATH = '/admin/claims'
const ANSWERED = ['replaced', 'refunded', 'rejected', 'withdrawn'] as const

/** The claims desk: open claims first, the oldest on top. */
export function ClaimsScreen() {
  const list = useListSearch(PATH)
  const address = useSearch(PATH)
  const about = aboutText(address)
  const shown = claimsShown(address)
  const reason = ClaimReason.options.find((each) => each === address.reason)
  const claims = usePanel(claimsOn(address), { placeholderData: keepPreviousData, pollMs: CLAIMS_POLL_MS })
  const now = useNow(MINUTE_MS)
  const isNarrowed = list.search !== '' || reason !== undefined || about !== ''
  const { data } = claims
  const isWhole = shown === 'open' || shown === 'all'
  return (
    <RecordList
      title={t('Claims')}
      count={data?.total}
      isEmpty={data?.total === 0 && isWhole && !isNarrowed}
      list={list}
      query={claims}
      search={{ label: t('Search number or buyer') }}
      activeFilters={[reason, !isWhole].filter(Boolean).length}
      notice={
        about !== '' && (
          <LinkFilter
            label={t('{filter} only. Show all claims', { filter: about })}
            onClear={() => void navigate<typeof PATH>({ search: { search: address.search, status: shown, reason } })}
          >
            {about}
          </LinkFilter>
        )
      }
      views={
        <Segmented
          label={t('Show claims')}
          value={isWhole ? shown : 'all'}
          onChange={(next) => list.setStatus(next)}
          options={[
            { value: 'open', label: t('Open') },
            { value: 'all', label: t('All') },
          ]}
        />
      }
      filters={<Filters shown={ANSWERED.find((each) => each === shown)} reason={reason} onStatus={list.setStatus} />}
      {...(data && { paging: { pageSize: CLAIMS_PAGE_SIZE, total: data.total } })}
      rows={data?.claims}
      columns={columnsOf(now)}
      face={(claim) => faceOf(claim, now)}
      actionsOf={(claim) => actionsOf(claim, () => openDialog(ClaimDialog, { claim }))}
      skeletonRows={8}
      empty={
        <Nothing
          icon={<MessageSquareWarning size={22} />}
          first={
            shown === 'open' &&
            !isNarrowed &&
            list.page === 0 && {
              title: t('No open claims'),
              text: t('When a buyer reports a bad key, it waits here for your answer.'),
            }
          }
          none={{
            search: list.search,
            title: t('No claims found'),
            showAll: t('Show all claims'),
            onShowAll: () => void navigate<typeof PATH>({ search: { status: 'all' } }),
          }}
        />
      }
    />
  )
}

/** What a link has narrowed the list to: "One product · 1 Nov 2026 – 26 Nov 2026" */
function aboutText({ batch, key, order, user, product, from, to }: PanelSearch): string {
  return [
    batch && t('One batch'),
    key && t('One key'),
    order && t('One purchase'),
    user && t('One buyer'),
    product && t('One product'),
    from && to && `${formatDate(middayOf(from))} – ${formatDate(middayOf(to))}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** A claim opens with the facts beside it; an open one to be answered. */
function actionsOf({ status, number, buyer }: Claim, run: () => void): Action[] {
  const label = status === 'open' ? t('Answer') : t('Open', { context: 'verb' })
  return [
    {
      label,
      name: t('{action} {number} by {name}', { action: label, number, name: buyer.username }),
      icon: <MessagesSquare size={17} aria-hidden />,
      run,
    },
  ]
}

interface FiltersProps {
  /** Undefined where the views above the list choose. */
  shown: (typeof ANSWERED)[number] | undefined
  reason: ClaimReason | undefined
  onStatus: (status: string) => void
}

function Filters({ shown, reason, onStatus }: FiltersProps) {
  const choose = (next: string) =>
    void navigate<typeof PATH>({ search: (present) => ({ ...present, page: undefined, reason: next || undefined }) })
  return (
    <>
      <Select
        aria-label={t('Outcome')}
        value={shown ?? 'all'}
        onChange={(event) => onStatus(event.target.value)}
        className="min-w-0 flex-1 basis-32 sm:max-w-44"
      >
        <option value="all">{t('All outcomes')}</option>
        {ANSWERED.map((value) => (
          <option key={value} value={value}>
            {statusText(value)}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t('Reason')}
        value={reason ?? ''}
        onChange={(event) => choose(event.target.value)}
        className="min-w-0 flex-1 basis-40 sm:max-w-52"
      >
        <option value="">{t('All reasons')}</option>
        {ClaimReason.options.map((value) => (
          <option key={value} value={value}>
            {reasonText(value)}
          </option>
        ))}
      </Select>
    </>
  )
}

function stateOf({ status, refunded, answerBy }: Claim, now: number) {
  if (status === 'open')
    return Date.parse(answerBy) <= now ? <Chip tone="bad">{t('Overdue')}</Chip> : <Chip tone="warn">{t('Open')}</Chip>
  return (
    <Chip tone={STATUS_TONES[status]}>
      {refunded === null ? statusText(status) : t('Refunded {amount}', { amount: formatRupees(refunded) })}
    </Chip>
  )
}

function faceOf(claim: Claim, now: number): RecordFace {
  const { number, buyer, productId, duration, reason, note, createdAt, unitPrice } = claim
  return {
    name: t('{number} by {name}', { number, name: buyer.username }),
    caption: agoText(createdAt, now),
    figure: formatRupees(unitPrice),
    facts: [reasonText(reason), productId.name, durationText(duration)],
    children: note && <p className="mt-1.5 line-clamp-2 text-sm wrap-anywhere text-fg-2">{note}</p>,
  }
}

function columnsOf(now: number): Column<Claim>[] {
  return [
    {
      title: t('Claim'),
      cell: ({ number, createdAt }) => (
        <>
          <span className="tabular font-medium whitespace-nowrap">{number}</span>
          <span className="block text-xs whitespace-nowrap text-fg-3" title={formatExact(createdAt)}>
            {agoText(createdAt, now)}
          </span>
        </>
      ),
    },
    { title: t('Buyer'), className: 'min-w-28', cell: ({ buyer }) => <BuyerLink {...buyer} /> },
    {
      title: t('Product'),
      cell: ({ productId }) => <span className="wrap-anywhere">{productId.name}</span>,
      small: ({ duration, unitPrice }) => `${durationText(duration)} · ${formatRupees(unitPrice)}`,
    },
    {
      title: t('Reason'),
      className: 'max-w-72',
      cell: ({ reason, note }) => (
        <>
          {reasonText(reason)}
          {note && <span className="line-clamp-2 text-xs wrap-anywhere text-fg-3">{note}</span>}
        </>
      ),
    },
    { title: t('Status'), card: 'state', cell: (claim) => stateOf(claim, now) },
    {
      title: t('Answer by'),
      cell: ({ status, answerBy, decidedAt }) => (
        <Time value={status === 'open' ? answerBy : (decidedAt ?? answerBy)} className="whitespace-nowrap text-fg-2" />
      ),
    },
  ]
}
