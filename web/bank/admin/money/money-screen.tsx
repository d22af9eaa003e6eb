import { HandCoins, Landmark, Undo2, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BankCredit, CreditState } from '../../../../contract/bank-shapes.ts'
import { PAYMENTS_PAGE_SIZE } from '../../../../contract/limits.ts'
import { middayOf } from '../../../../contract/india.ts'
import { formatDate, formatDateTime } from '../../../platform/dates.ts'
import { errorMessage } from '../../../platform/calls/api-error.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { useListSearch } from '../../../platform/admin/list-search.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { formatRupees } from '../../../platform/money.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { toast } from '../../../platform/navigation/toast.ts'
import type { Action } from '../../../ui/admin/lists/action-menu.tsx'
import { DataTable, type Column } from '../../../ui/admin/lists/data-table.tsx'
import { ListPage } from '../../../ui/admin/lists/list-page.tsx'
import { Pagination } from '../../../ui/admin/lists/pagination.tsx'
import type { RecordFace } from '../../../ui/admin/lists/record-card.tsx'
import { Button, buttonClass } from '../../../ui/buttons/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Money } from '../../../ui/money.tsx'
import { SearchInput } from '../../../ui/fields/search-input.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { AsideBar, useTicks } from './aside-bar.tsx'
import { payerOf } from './payer-of.ts'
import { useBankAccounts, useBankChange, useCredits } from '../bank-queries.ts'

const UploadDialog = lazyPart(() => import('../upload/upload-dialog.tsx').then((file) => file.UploadDialog))
const CreditDialog = lazyPart(() => import('./credit-dialog.tsx').then((file) => file.CreditDialog))
const TakeBackDialog = lazyPart(() => import('./take-back-dialog.tsx').then((file) => file.TakeBackDialog))
const AsideDialog = lazyPart(() => import('./credit-dialog.tsx').then((file) => file.AsideDialog))

type Filter = CreditState | 'all'
const isFilter = (status: string | undefined): status is Filter =>
  status === 'all' || status === 'matched' || status === 'set-aside' || status === 'differs'

/** Lists the money that has come to the bank, unclaimed money first. */
export function MoneyScreen() {
  const list = useListSearch('/admin/bank')
  const filter: Filter = isFilter(list.status) ? list.status : 'unclaimed'
  const query = useCredits(list)
  const takeUp = useBankChange((id: string) => client.bank.setAside({ id, back: true }))
  const total = query.data?.total ?? 0
  const rows = query.data?.credits ?? []
  const open = denied(calls.bank.setAside) === undefined ? rows.filter(({ state }) => state === 'unclaimed') : []
  const ticks = useTicks(open)
  const add = (
    <Button
      icon={<Upload size={17} aria-hidden />}
      denied={denied(calls.bank.import)}
      onClick={() => openDialog(UploadDialog, {})}
    >
      {t('Upload statement')}
    </Button>
  )
  const actionsOf = (credit: BankCredit): Action[] =>
    actionsFor(credit, {
      credit: () => openDialog(CreditDialog, { credit }),
      setAside: () => openDialog(AsideDialog, { credits: [credit] }),
      takeBack: ({ _id: id, username }) =>
        openDialog(TakeBackDialog, { topUp: { id, username, amount: credit.amount } }),
      takeUp: () => takeUp.mutate(credit._id, { onError: (error) => toast(errorMessage(error), { tone: 'bad' }) }),
    })
  return (
    <ListPage
      title={t('Bank')}
      heading={filter === 'unclaimed' ? t('Unclaimed') : t('Money in the bank')}
      count={query.data?.total}
      actions={query.data?.total !== 0 && add}
      search={<SearchInput label={t('Search UTR, payer or amount')} value={list.search} onChange={list.setSearch} />}
      activeFilters={filter === 'unclaimed' ? 0 : 1}
      filters={<Filters value={filter} onChange={list.setStatus} />}
      notice={
        open.length > 1 && (
          <AsideBar open={open} ticks={ticks} onAside={(credits) => openDialog(AsideDialog, { credits })} />
        )
      }
      footer={
        total > 0 && <Pagination page={list.page} pageSize={PAYMENTS_PAGE_SIZE} total={total} onPage={list.setPage} />
      }
    >
      <DataTable
        label={t('Money in the bank')}
        columns={columns(ticks.boxOf)}
        face={(credit) => faceOf(credit, ticks.boxOf(credit))}
        actions={actionsOf}
        rows={query.data?.credits}
        rowKey={(credit) => credit._id}
        error={query.error}
        onRetry={query.refetch}
        skeletonRows={6}
        stale={query.isPlaceholderData}
        empty={<NoMoney isAsked={filter === 'unclaimed' && !list.search} add={add} />}
      />
    </ListPage>
  )
}

/** What to do first, while nothing can be known. @param isAsked for unclaimed money, and not for some of it */
function NoMoney({ isAsked, add }: { isAsked: boolean; add: ReactNode }) {
  const accounts = useBankAccounts().data
  const icon = <Landmark size={22} />
  if (accounts?.length === 0)
    return (
      <EmptyState
        icon={icon}
        title={t('Add your bank account first')}
        text={t('Upload a statement of the account that buyers pay to. The store reads which account it is.')}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {add}
            <Link to="/admin/settings/bank" className={buttonClass({ variant: 'secondary' })}>
              {t('Add account')}
            </Link>
          </div>
        }
      />
    )
  const isUnread = accounts?.every(({ coveredTo }) => coveredTo === null)
  return (
    <EmptyState
      icon={icon}
      title={!isAsked ? t('Nothing here') : isUnread ? t('No statement yet') : t('Every payment is matched')}
      text={t('Upload a statement to see payments without a request.')}
      action={add}
    />
  )
}

function Filters({ value, onChange }: { value: Filter; onChange: (status: string | undefined) => void }) {
  return (
    <Segmented
      label={t('Show money')}
      value={value}
      onChange={(next) => onChange(next === 'unclaimed' ? undefined : next)}
      options={[
        { value: 'unclaimed', label: t('Unclaimed') },
        { value: 'matched', label: t('Matched') },
        { value: 'differs', label: t('Mismatch') },
        { value: 'set-aside', label: t('Set aside') },
        { value: 'all', label: t('All') },
      ]}
    />
  )
}

interface Runs extends Record<'credit' | 'setAside' | 'takeUp', () => void> {
  takeBack: (topUp: NonNullable<BankCredit['topUp']>) => void
}

function actionsFor(credit: BankCredit, run: Runs): Action[] {
  const { state, kind, topUp } = credit
  const words = { amount: formatRupees(credit.amount), name: payerOf(credit) }
  const landmark = <Landmark size={17} aria-hidden />
  const crediting: Action = {
    label: t('Credit to user…'),
    name: t('Credit to user… {amount} from {name}', words),
    icon: <HandCoins size={17} aria-hidden />,
    denied: denied(calls.bank.creditTo),
    run: run.credit,
  }
  const aside = { icon: landmark, denied: denied(calls.bank.setAside) }
  switch (state) {
    case 'unclaimed':
      return [
        ...(kind === 'payment' ? [crediting] : []),
        { ...aside, label: t('Set aside'), name: t('Set aside {amount} from {name}', words), run: run.setAside },
      ]
    case 'set-aside':
      return [
        {
          ...aside,
          label: t('Undo set aside'),
          name: t('Undo set aside: {amount} from {name}', words),
          run: run.takeUp,
        },
      ]
    case 'matched':
    case 'differs':
    default:
      return topUp
        ? [
            {
              label: t('Take back…'),
              name: t('Take back… {amount} from {name}', { amount: words.amount, name: topUp.username }),
              icon: <Undo2 size={17} aria-hidden />,
              denied: denied(calls.bank.takeBack),
              run: () => run.takeBack(topUp),
            },
          ]
        : []
  }
}

function columns(boxOf: (credit: BankCredit) => ReactNode): Column<BankCredit>[] {
  return [
    {
      key: 'payer',
      title: t('Payer'),
      cell: (credit) => (
        <div className="flex min-w-0 items-center gap-2">
          {boxOf(credit)}
          <Payer credit={credit} />
        </div>
      ),
    },
    {
      key: 'amount',
      title: t('Amount'),
      align: 'right',
      cell: ({ amount }) => <Money rupees={amount} className="font-semibold" />,
    },
    { key: 'reference', title: t('UTR'), cell: (credit) => <References credit={credit} /> },
    { key: 'when', title: t('When'), cell: whenOf },
    { key: 'state', title: t('State'), cell: (credit) => <State credit={credit} /> },
  ]
}

const whenOf = ({ at, day, account }: BankCredit): string =>
  `${at ? formatDateTime(at) : formatDate(middayOf(day))} · ${account.label}`

function faceOf(credit: BankCredit, picture: ReactNode): RecordFace {
  return {
    picture,
    name: payerOf(credit),
    caption: whenOf(credit),
    figure: <Money rupees={credit.amount} className="text-lg font-semibold" />,
    state: <State credit={credit} />,
    children: <References credit={credit} />,
  }
}

function Payer({ credit }: { credit: BankCredit }) {
  return (
    <div className="min-w-0">
      <p className="font-medium wrap-anywhere">{payerOf(credit)}</p>
      {credit.payer.vpa && <p className="text-xs wrap-anywhere text-fg-3">{credit.payer.vpa}</p>}
    </div>
  )
}

function References({ credit: { refs, note } }: { credit: BankCredit }) {
  return (
    <div className="min-w-0">
      <code className="font-mono wrap-anywhere">{refs.length > 0 ? refs.join(' ') : t('No reference')}</code>
      {note && <p className="text-xs wrap-anywhere text-fg-3">{note}</p>}
    </div>
  )
}

function State({ credit: { state, kind, topUp, rivals } }: { credit: BankCredit }) {
  if (state === 'differs') return <Chip tone="bad">{t('Sources disagree')}</Chip>
  if (state === 'matched') return <Chip tone="ok">{t('Paid for {name}', { name: topUp?.username ?? '' })}</Chip>
  if (state === 'set-aside') return <Chip>{t('Set aside')}</Chip>
  if (kind === 'reversal') return <Chip tone="outline">{t('Reversal')}</Chip>
  if (kind === 'own') return <Chip tone="outline">{t('Own transfer')}</Chip>
  if (rivals.length > 0) return <Chip tone="warn">{t('Claimed by {names}', { names: rivals.join(', ') })}</Chip>
  return <Chip tone="info">{t('Not claimed')}</Chip>
}
