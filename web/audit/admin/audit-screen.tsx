import { ScrollText } from 'lucide-react'
import { AUDIT_AREAS } from '../../../contract/audit.ts'
import { files } from '../../platform/admin/download.ts'
import { t } from '../../platform/i18n.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import type { Period } from '../../platform/admin/periods.ts'
import { navigate, useSearch } from '../../platform/navigation/router.tsx'
import { useExport } from '../../ui/admin/lists/export-action.tsx'
import { Nothing } from '../../ui/admin/lists/nothing.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { PeriodFilter } from '../../ui/admin/lists/period-filter.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import { OlderActivity } from './audit-older.tsx'
import { useAudit } from './audit-queries.ts'
import { columns, faceOf } from './audit-columns.tsx'
import type { Names } from './audit-words.ts'

const PATH = '/admin/audit'
const SKELETON_ROWS = 10

/** The audit log: each change with its admin, time, address and earlier value. */
export function AuditScreen() {
  const list = useListSearch(PATH)
  const address = useSearch(PATH)
  const { from, to } = address
  const audit = useAudit(address)
  const entries = audit.data?.pages.flatMap((page) => page.entries)
  const names: Names = Object.assign({}, ...(audit.data?.pages.map((page) => page.names) ?? []))
  const text = t('Every admin action is recorded here. Records can’t be edited or deleted.')
  const saving = useExport({
    name: 'audit.csv',
    disabled: !entries?.length,
    fetch: (options) => files.reports.exportAudit({ search: list.search, action: list.status, from, to }, options),
  })
  return (
    <RecordList
      title={t('Audit log')}
      more={[saving]}
      list={list}
      query={{ error: audit.error, refetch: audit.refetch }}
      rows={entries}
      search={{ label: t('Search admin or item') }}
      activeFilters={[list.status, from ?? to].filter(Boolean).length}
      filters={<Filters list={list} from={from} to={to} />}
      footer={<OlderActivity audit={audit} entries={entries} />}
      columns={columns(names)}
      face={(entry) => faceOf(entry, names)}
      cards={Infinity}
      skeletonRows={SKELETON_ROWS}
      empty={
        <Nothing
          icon={<ScrollText size={22} />}
          first={!(list.search || list.status || from || to) && { title: t('No activity yet'), text }}
          none={{
            search: list.search,
            title: t('No activity found'),
            text,
            showAll: t('Show all activity'),
            onShowAll: () => void navigate<typeof PATH>({ search: {} }),
          }}
        />
      }
    />
  )
}

interface FiltersProps extends Period {
  list: ReturnType<typeof useListSearch>
}

function Filters({ list, from, to }: FiltersProps) {
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
