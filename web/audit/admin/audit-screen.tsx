import { useEffect, useRef } from 'react'
import { ArrowRight, ScrollText } from 'lucide-react'
import { AUDIT_AREAS } from '../../../contract/audit.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { files } from '../../platform/admin/download.ts'
import { deviceWords } from '../../platform/device-words.ts'
import { t } from '../../platform/i18n.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import type { Period } from '../../platform/admin/periods.ts'
import { useNavigate, useSearch } from '../../platform/navigation/router.tsx'
import { useIsWide } from '../../platform/admin/use-is-wide.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { DataTable, type Column } from '../../ui/admin/lists/data-table.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { useExport } from '../../ui/admin/lists/export-action.tsx'
import { ListPage } from '../../ui/admin/lists/list-page.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { PeriodFilter } from '../../ui/admin/lists/period-filter.tsx'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import { Time } from '../../ui/time.tsx'
import { useShowAll } from '../../ui/use-show-all.ts'
import { useAudit, type Entry } from './audit-queries.ts'
import { AuditSubject } from './audit-subject.tsx'
import { actionText, changesOf, type Change, type Names } from './audit-words.ts'

const PATH = '/admin/audit'
const SKELETON_ROWS = 10

/** The audit log: each change with its admin, time, address and earlier value. */
export function AuditScreen() {
  const { isWide } = useIsWide()
  const list = useListSearch(PATH)
  const address = useSearch(PATH)
  const { from, to } = address
  const audit = useAudit(address, isWide)
  const entries = audit.data?.pages.flatMap((page) => page.entries)
  const names: Names = Object.assign({}, ...(audit.data?.pages.map((page) => page.names) ?? []))
  const saving = useExport({
    name: 'audit.csv',
    disabled: !entries?.length,
    fetch: (options) => files.reports.exportAudit({ search: list.search, action: list.status, from, to }, options),
  })
  return (
    <ListPage
      title={t('Audit log')}
      heading={t('Audit log')}
      more={[saving]}
      activeFilters={[list.status, from ?? to].filter(Boolean).length}
      search={<SearchInput label={t('Search admin or item')} value={list.search} onChange={list.setSearch} />}
      filters={<Filters list={list} from={from} to={to} />}
      footer={<Older audit={audit} entries={entries} />}
    >
      <DataTable
        label={t('Audit log')}
        columns={columns(names)}
        face={(entry) => faceOf(entry, names)}
        cards={Infinity}
        rows={entries}
        rowKey={(entry) => entry._id}
        error={audit.error}
        onRetry={audit.refetch}
        skeletonRows={SKELETON_ROWS}
        empty={<Nothing isNarrowed={Boolean(list.search || list.status || from || to)} />}
      />
    </ListPage>
  )
}

interface FiltersProps extends Period {
  list: ReturnType<typeof useListSearch>
}

function Filters({ list, from, to }: FiltersProps) {
  const navigate = useNavigate()
  return (
    <>
      <Select
        aria-label={t('Filter by type')}
        value={list.status ?? ''}
        onChange={(event) => list.setStatus(event.target.value || undefined)}
        className="min-w-0 flex-1 basis-40 sm:max-w-56"
      >
        <option value="">{t('All activity')}</option>
        {Object.entries(AUDIT_AREAS).map(([value, label]) => (
          <option key={value} value={value}>
            {t(label)}
          </option>
        ))}
      </Select>
      <PeriodFilter
        from={from}
        to={to}
        onChange={(period, isTyped) =>
          void navigate<typeof PATH>({ search: (present) => ({ ...present, ...period }), replace: isTyped })
        }
      />
    </>
  )
}

interface OlderProps {
  audit: ReturnType<typeof useAudit>
  entries: readonly Entry[] | undefined
}

function Older({ audit, entries }: OlderProps) {
  const noteShown = useFocusAfterLast(entries, audit.hasNextPage)
  if (!audit.hasNextPage) return null
  return (
    <div className="grid justify-items-center gap-2 py-1">
      {audit.isFetchNextPageError && (
        <p role="alert" className="text-sm text-bad">
          {errorMessage(audit.error)}
        </p>
      )}
      <Button
        variant="secondary"
        size="sm"
        pending={audit.isFetchingNextPage}
        onClick={() => {
          noteShown()
          void audit.fetchNextPage()
        }}
      >
        {audit.isFetchNextPageError ? t('Retry') : t('Show older')}
      </Button>
    </div>
  )
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  const navigate = useNavigate()
  return (
    <EmptyState
      icon={<ScrollText size={22} />}
      title={isNarrowed ? t('No activity found') : t('No activity yet')}
      text={t('Every admin action is recorded here. Records can’t be edited or deleted.')}
      action={
        isNarrowed && (
          <Button variant="secondary" onClick={() => void navigate<typeof PATH>({ search: {} })}>
            {t('Show all activity')}
          </Button>
        )
      }
    />
  )
}

/**
 * The last "Show older" takes its button away: the focus goes on to the first row that it has shown.
 * @returns what to call when the button is pressed
 */
function useFocusAfterLast(entries: readonly Entry[] | undefined, hasMore: boolean) {
  const shown = useRef<number>(undefined)
  useEffect(() => {
    if (hasMore || shown.current === undefined) return
    // The page after a full one may be empty.
    const first = entries?.[shown.current] ?? entries?.at(-1)
    shown.current = undefined
    // Does nothing if the focus has moved elsewhere.
    if (first && document.activeElement === document.body) focusRow(first._id)
  }, [entries, hasMore])
  return () => {
    shown.current = entries?.length
  }
}

function focusRow(id: string): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
  row?.setAttribute('tabindex', '-1')
  row?.focus({ preventScroll: true })
}

function faceOf(entry: Entry, names: Names): RecordFace {
  const { action, subject, admin, at, from } = entry
  return {
    name: actionText(action),
    caption: <AuditSubject subject={subject} names={names} />,
    figure: <Time value={at} className="text-xs font-normal whitespace-nowrap text-fg-2" />,
    facts: [admin, from !== '' && originText(from)],
    children: changesIn(entry, names),
  }
}

function columns(names: Names): Column<Entry>[] {
  return [
    {
      key: 'what',
      title: t('Action'),
      cell: ({ action, subject }) => (
        <>
          <span title={action}>
            <Chip tone="outline">{actionText(action)}</Chip>
          </span>
          <AuditSubject subject={subject} names={names} />
        </>
      ),
    },
    { key: 'changes', title: t('Changes'), cell: (entry) => changesIn(entry, names) },
    {
      key: 'who',
      title: t('Admin'),
      className: 'wide:min-w-28',
      cell: ({ admin }) => <span className="font-medium wrap-anywhere">{admin}</span>,
    },
    {
      key: 'when',
      title: t('Date and time'),
      cell: ({ at, from }) => (
        <>
          <Time value={at} className="whitespace-nowrap text-fg-2" />
          {from !== '' && (
            <p className="max-w-56 text-xs wrap-anywhere text-fg-3" title={from}>
              {originText(from)}
            </p>
          )}
        </>
      ),
    },
  ]
}

const CHANGES_SHOWN = 4

function changesIn({ before, after }: Entry, names: Names) {
  const changes = changesOf(before, after, names)
  return changes.length === 0 ? null : <Changes changes={changes} />
}

function Changes({ changes }: { changes: readonly Change[] }) {
  const { isWhole, showAll, propsOf } = useShowAll()
  const shown = isWhole ? changes : changes.slice(0, CHANGES_SHOWN)
  return (
    <>
      <ul className="grid gap-0.5 text-xs">
        {shown.map(({ field, before, after }, at) => (
          <li
            key={field}
            {...propsOf(at, CHANGES_SHOWN)}
            className="flex flex-wrap items-center gap-x-1.5 wrap-anywhere"
          >
            <span className="text-fg-3">{field}</span>
            {before !== undefined && <span className="line-clamp-3 text-fg-2">{before}</span>}
            {before !== undefined && after === undefined && <span className="text-bad">{t('removed')}</span>}
            {after !== undefined && (
              <>
                {before !== undefined && <ArrowRight size={12} aria-label={t('changed to')} className="text-fg-3" />}
                <span className="line-clamp-3">{after}</span>
              </>
            )}
          </li>
        ))}
      </ul>
      {changes.length > CHANGES_SHOWN && !isWhole && (
        <Button variant="ghost" size="sm" className="-mx-3.5" onClick={showAll}>
          {t('{count} more', { count: changes.length - CHANGES_SHOWN })}
        </Button>
      )}
    </>
  )
}

/** "203.0.113.7, Mozilla/5.0 …" → "203.0.113.7 · Chrome on Android". Other programs keep their name. */
function originText(from: string): string {
  const [address = '', ...rest] = from.split(', ')
  const userAgent = rest.join(', ')
  if (userAgent === '') return address
  return `${address} · ${userAgent.startsWith('Mozilla/') ? deviceWords(userAgent) : userAgent}`
}
