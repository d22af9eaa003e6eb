import { Landmark, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BankCredit, CreditState } from '../../../../contract/bank-shapes.ts'
import { PAYMENTS_PAGE_SIZE } from '../../../../contract/limits.ts'
import { keepPreviousData } from '@tanstack/react-query'
import { creditsOn, creditsShown } from '../../../../contract/panel-pages.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { useListSearch } from '../../../platform/admin/list-search.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { toastError } from '../../../platform/navigation/toast.ts'
import type { Action } from '../../../ui/admin/lists/action-menu.tsx'
import { NoMatches } from '../../../ui/admin/lists/no-matches.tsx'
import { RecordList } from '../../../ui/admin/lists/record-list.tsx'
import { Button, buttonClass } from '../../../ui/buttons/button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { AsideBar, useBoxes } from './aside-bar.tsx'
import { payerOf } from './payer-of.ts'
import { actionsFor, columns } from './money-columns.tsx'
import { AT_ONCE, BANK_POLL_MS, useBankAccounts, useHasMoney } from '../bank-queries.ts'

const UploadDialog = lazyPart(() => import('../upload/upload-dialog.tsx').then((file) => file.UploadDialog))
const CreditDialog = lazyPart(() => import('./credit-dialog.tsx').then((file) => file.CreditDialog))
const TakeBackDialog = lazyPart(() => import('./take-back-dialog.tsx').then((file) => file.TakeBackDialog))
const AsideDialog = lazyPart(() => import('./credit-dialog.tsx').then((file) => file.AsideDialog))

type Filter = CreditState | 'all'

/** Lists the money that has come to the bank, unclaimed money first. */
export function MoneyScreen() {
  const list = useListSearch('/admin/bank')
  const filter: Filter = creditsShown(list)
  const query = usePanel(creditsOn(list), { placeholderData: keepPreviousData, pollMs: BANK_POLL_MS })
  const accounts = useBankAccounts().data
  const hasMoney = useHasMoney()
  const takeUp = useCall('bank.setAside', AT_ONCE)
  const rows = query.data?.credits ?? []
  const open = denied(calls.bank.setAside) === undefined ? rows.filter(({ state }) => state === 'unclaimed') : []
  const ticks = useBoxes(open)
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
      takeUp: () => takeUp.mutate({ id: credit._id, back: true }, { onError: toastError }),
    })
  return (
    <RecordList
      title={t('Bank')}
      heading={filter === 'unclaimed' ? t('Money without a request') : t('Money in the bank')}
      label={t('Money in the bank')}
      count={query.data?.total}
      isEmpty={query.data?.total === 0 && (accounts?.length === 0 || hasMoney === false)}
      actions={query.data?.total !== 0 && add}
      list={list}
      query={query}
      rows={query.data?.credits}
      search={{ label: t('Search UTR, payer or amount') }}
      filter={{
        label: t('Show money'),
        value: filter,
        options: [
          { value: 'unclaimed', label: t('No request yet') },
          { value: 'matched', label: t('Matched') },
          { value: 'differs', label: t('Mismatch') },
          { value: 'set-aside', label: t('Ignored') },
          { value: 'all', label: t('All') },
        ],
      }}
      notice={
        open.length > 1 && (
          <AsideBar open={open} ticks={ticks} onAside={(credits) => openDialog(AsideDialog, { credits })} />
        )
      }
      paging={{ pageSize: PAYMENTS_PAGE_SIZE, total: query.data?.total ?? 0 }}
      columns={columns(ticks.boxOf)}
      face={(credit) => ({ name: payerOf(credit), picture: ticks.boxOf(credit) })}
      actionsOf={actionsOf}
      skeletonRows={6}
      empty={
        (filter === 'unclaimed' || filter === 'all') && !list.search ? (
          <NoMoney isAsked={filter === 'unclaimed'} add={add} />
        ) : (
          <NoMatches
            icon={<Landmark size={22} />}
            search={list.search}
            title={t('Nothing here')}
            showAll={t('Show all money')}
            onShowAll={list.showAll}
          />
        )
      }
    />
  )
}

/** What to do next. @param isAsked true where all unclaimed money was asked for */
function NoMoney({ isAsked, add }: { isAsked: boolean; add: ReactNode }) {
  const accounts = useBankAccounts().data
  const hasMoney = useHasMoney()
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
  if (hasMoney === false)
    return (
      <EmptyState
        icon={icon}
        title={t('No statement yet')}
        text={t('Download this month’s statement of {accounts} from your bank, as Excel or CSV, and upload it here.', {
          accounts: (accounts ?? []).map(({ bank, tail }) => `${bank} ··${tail}`).join(', '),
        })}
        action={add}
      />
    )
  return (
    <EmptyState
      icon={icon}
      title={isAsked ? t('Every payment is matched') : t('Nothing here')}
      text={t('Upload a statement to see payments without a request.')}
      action={add}
    />
  )
}
