import { useState } from 'react'
import { Check, Link2, Plus, Ticket } from 'lucide-react'
import { COPY_FEEDBACK_MS } from '../../../contract/limits.ts'
import type { ReferralCode } from '../../../contract/referrals.ts'
import { copyToClipboard } from '../../platform/copy-to-clipboard.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { toastUndo } from '../../platform/admin/toast-undo.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copyable.tsx'
import { DataTable, type Column } from '../../ui/admin/data-table.tsx'
import { DeleteDialog } from '../../ui/admin/delete-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ListPage } from '../../ui/admin/list-page.tsx'
import { Money } from '../../ui/money.tsx'
import { Pagination } from '../../ui/admin/pagination.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { Switch } from '../../ui/admin/switch.tsx'
import { Time } from '../../ui/time.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { ReferralStats } from './top-codes.tsx'
import { filterReferrals, isUsedUp, usageText, usageTone, usedShare, type ReferralFilter } from './usage.ts'
import { useReferrals, useRemoveReferral, useSaveReferral, useToggleReferral } from './use-referrals.ts'
import { DeleteButton, EditButton } from '../../ui/admin/row-buttons.tsx'
import { StatusFilter } from '../../ui/admin/status-filter.tsx'
import { NoMatches } from '../../ui/admin/no-matches.tsx'

const ReferralDialog = lazyPart(() => import('./referral-dialog.tsx').then((file) => file.ReferralDialog))

const PAGE_SIZE = 25
const FILTERS: readonly ReferralFilter[] = ['all', 'active', 'inactive', 'used-up']

/** The Referrals screen: create, edit, switch and delete sign-up codes, and see their usage. */
export function ReferralManagerScreen() {
  const referrals = useReferrals()
  const toggle = useToggleReferral()
  const list = useListSearch('/admin/referral-manager')
  const editor = useDialog<{ referral?: ReferralCode }>()
  const deletion = useDialog<{ referral: ReferralCode }>()

  const filter = FILTERS.find((each) => each === list.status) ?? 'all'
  const found = referrals.data && filterReferrals(referrals.data, filter, list.search)
  const page = Math.min(list.page, Math.max(0, Math.ceil((found?.length ?? 0) / PAGE_SIZE) - 1))
  const columns = columnsOf({
    toggle,
    edit: (referral) => editor.show({ referral }),
    remove: (referral) => deletion.show({ referral }),
  })
  return (
    <ListPage
      title={t('Referrals')}
      heading={t('Referral codes')}
      count={referrals.data?.length}
      above={<ReferralStats />}
      actions={
        <Button
          icon={<Plus size={17} aria-hidden />}
          denied={denied(calls.referrals.create)}
          onClick={() => editor.show({})}
        >
          {t('New code')}
        </Button>
      }
      search={
        <SearchInput label={t('Search referrals')} value={list.search} onChange={list.setSearch} debounceMs={0} />
      }
      filters={
        <StatusFilter
          list={list}
          label={t('Show codes')}
          value={filter}
          options={[
            { value: 'all', label: t('All') },
            { value: 'active', label: t('Active') },
            { value: 'inactive', label: t('Inactive') },
            { value: 'used-up', label: t('Limit reached') },
          ]}
          className="max-sm:w-full max-sm:[&>button]:px-1.5"
        />
      }
      footer={
        found &&
        found.length > PAGE_SIZE && (
          <Pagination page={page} pageSize={PAGE_SIZE} total={found.length} onPage={list.setPage} />
        )
      }
    >
      <DataTable
        label={t('Referral codes')}
        columns={columns}
        rows={found?.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)}
        rowKey={(referral) => referral._id}
        error={referrals.error}
        onRetry={referrals.refetch}
        empty={<Nothing hasCodes={referrals.data?.length !== 0} onShowAll={list.clear} />}
      />
      {editor.target && (
        <ReferralDialog key={editor.turn} open={editor.open} onClose={editor.close} {...editor.target} />
      )}
      {deletion.target && (
        <ReferralDeletion key={deletion.turn} open={deletion.open} onClose={deletion.close} {...deletion.target} />
      )}
    </ListPage>
  )
}

function Nothing({ hasCodes, onShowAll }: { hasCodes: boolean; onShowAll: () => void }) {
  if (!hasCodes) {
    return (
      <EmptyState
        icon={<Ticket size={22} />}
        title={t('No referral codes yet')}
        text={t('Buyers need a code to sign up. Create your first code and share it.')}
      />
    )
  }
  return (
    <NoMatches
      icon={<Ticket size={22} />}
      title={t('No codes found')}
      showAll={t('Show all codes')}
      onShowAll={onShowAll}
    />
  )
}

interface ColumnsOf {
  toggle: (referral: ReferralCode, change: Pick<ReferralCode, 'isActive'>) => void
  edit: (referral: ReferralCode) => void
  remove: (referral: ReferralCode) => void
}

function columnsOf({ toggle, edit, remove }: ColumnsOf): Column<ReferralCode>[] {
  return [
    {
      key: 'code',
      title: t('Code'),
      card: 'title',
      cell: ({ code, description }) => (
        <div className="max-w-72 min-w-0">
          <div className="-my-2 flex items-center">
            <span className="font-mono font-semibold break-all">{code}</span>
            <CopyButton text={code} what={t('code {code}', { code })} />
          </div>
          <p className="text-xs wrap-break-word text-fg-3">{description}</p>
        </div>
      ),
    },
    { key: 'usage', title: t('Usage'), className: 'w-48', cell: (referral) => <Usage referral={referral} /> },
    {
      key: 'reward',
      title: t('Reward'),
      align: 'right',
      cell: ({ rewardAmount }) =>
        rewardAmount > 0 ? <Money rupees={rewardAmount} /> : <span className="text-fg-3">{t('None')}</span>,
    },
    {
      key: 'created',
      title: t('Created'),
      cell: ({ createdAt, createdBy }) => (
        <>
          <Time value={createdAt} format="date" className="whitespace-nowrap" />
          <span className="block text-xs text-fg-3">{t('by {username}', { username: createdBy.username })}</span>
        </>
      ),
    },
    {
      key: 'active',
      title: t('Active'),
      cell: (referral) => (
        <Switch
          bare
          label={t('{code} is active', { code: referral.code })}
          checked={referral.isActive}
          denied={denied(calls.referrals.update)}
          onChange={(isActive) => toggle(referral, { isActive })}
        />
      ),
    },
    {
      key: 'actions',
      title: t('Actions'),
      card: 'actions',
      cell: (referral) => (
        <>
          <CopyLink code={referral.code} />
          <EditButton
            label={t('Edit {code}', { code: referral.code })}
            denied={denied(calls.referrals.update)}
            onClick={() => edit(referral)}
          />
          <DeleteButton
            label={t('Delete {code}', { code: referral.code })}
            denied={denied(calls.referrals.remove)}
            onClick={() => remove(referral)}
          />
        </>
      ),
    },
  ]
}

function Usage({ referral }: { referral: ReferralCode }) {
  const share = usedShare(referral)
  return (
    <div className="grid w-40 gap-1.5 max-wide:ml-auto">
      <span className="tabular flex items-center gap-2 text-xs whitespace-nowrap max-wide:justify-end">
        {usageText(referral)}
        {isUsedUp(referral) && <Chip tone="bad">{t('Limit reached')}</Chip>}
      </span>
      {share !== undefined && <ShareBar share={share} tone={usageTone(referral)} />}
    </div>
  )
}

/** A link to the sign-up page with the code filled in. */
function CopyLink({ code }: { code: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    const link = `${location.origin}/signup?ref=${encodeURIComponent(code)}`
    if (!(await copyToClipboard(link))) {
      toast(t('Your browser blocked copying. Copy this link: {link}', { link }), { tone: 'bad', durationMs: 15_000 })
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), COPY_FEEDBACK_MS)
  }
  return (
    <>
      <IconButton
        label={t('Copy sign-up link of {code}', { code })}
        icon={copied ? <Check size={17} aria-hidden className="text-ok" /> : <Link2 size={17} aria-hidden />}
        onClick={() => void copy()}
      />
      <output className="sr-only">{copied && t('Copied')}</output>
    </>
  )
}

interface ReferralDeletionProps {
  referral: ReferralCode
  open: boolean
  onClose: () => void
}

function ReferralDeletion({ referral, ...dialog }: ReferralDeletionProps) {
  const remove = useRemoveReferral()
  const save = useSaveReferral()
  const { code, description, maxUsage, rewardAmount, isActive, usageCount } = referral
  const restore = () =>
    save.mutateAsync({ id: undefined, terms: { code, description, maxUsage, rewardAmount, isActive } })
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete {code}?', { code })}
      action={async () => {
        await remove.mutateAsync(referral._id)
        const deleted = t('{code} deleted', { code })
        // A restored code counts from zero, so only an unused one can come back unchanged.
        if (usageCount === 0) toastUndo(deleted, restore, () => t('{code} restored', { code }))
        else toast(deleted)
      }}
    >
      <p>{t('Buyers will no longer be able to sign up with this code.')}</p>
      <p>
        {usageCount === 0
          ? t('Nobody has used this code yet.')
          : t(
              '{count, plural, one {# user} other {# users}} signed up with this code. Their records and rewards stay. To pause the code, make it inactive instead.',
              { count: usageCount },
            )}
      </p>
    </DeleteDialog>
  )
}
