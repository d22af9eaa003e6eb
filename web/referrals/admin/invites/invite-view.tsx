import type { ReactNode } from 'react'
import { Gift } from 'lucide-react'
import { inviters, inviteSettings } from '../../../../contract/panel-pages.ts'
import { DAY_MS } from '../../../../contract/time.ts'
import { AllowedLink } from '../../../platform/admin/allowed-link.tsx'
import { useListSearch } from '../../../platform/admin/list-search.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { useNow } from '../../../platform/clock.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { toast, toastError } from '../../../platform/navigation/toast.ts'
import { Nothing } from '../../../ui/admin/lists/nothing.tsx'
import { RecordList } from '../../../ui/admin/lists/record-list.tsx'
import { ShareBar } from '../../../ui/admin/share-bar.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { InviteSettingsCard } from './invite-settings-card.tsx'
import { inviterActions, inviterColumns, inviterFace, type InviterRow } from './inviter-columns.tsx'

const OwnRateDialog = lazyPart(() => import('./own-rate-dialog.tsx').then((file) => file.OwnRateDialog))

/** Rewards wait for a statement for longer than a shop should let them. */
const STATEMENT_OLD_MS = 14 * DAY_MS

/** Buyers who invite others: what the store gives for it, and what each has brought. */
export function InviteView({ views }: { views: ReactNode }) {
  const query = usePanel(inviters)
  const settings = usePanel(inviteSettings).data
  const list = useListSearch('/admin/referral-manager')
  const change = useCall('referrals.setInviteTerms')
  const rows = query.data?.map((each) => ({ ...each, _id: each.userId }))
  const pause = ({ userId, username, paused }: InviterRow) =>
    change.mutate(
      { userId, paused: !paused },
      {
        onSuccess: () =>
          toast(paused ? t('{name} can invite again', { name: username }) : t('{name} is paused', { name: username })),
        onError: toastError,
      },
    )
  return (
    <RecordList
      title={t('Referrals')}
      heading={t('Buyers’ invitations')}
      views={views}
      above={<InviteSettingsCard />}
      notice={settings?.isOn && <Progress {...settings} />}
      list={list}
      query={query}
      rows={rows}
      columns={inviterColumns()}
      face={inviterFace}
      actionsOf={(row) =>
        inviterActions(row, {
          rate: () => openDialog(OwnRateDialog, { inviter: row }),
          pause: () => pause(row),
          isPausing: change.isPending && change.variables.userId === row.userId,
        })
      }
      empty={
        <Nothing
          icon={<Gift size={22} />}
          first={{
            title: t('No friend has joined yet'),
            text: settings?.isOn
              ? t('Buyers whose payment a statement has shown find their link under Account.')
              : t('Turn invitations on, and buyers find their link under Account.'),
          }}
          none={{ search: '', title: '', showAll: '', onShowAll: list.clear }}
        />
      }
    />
  )
}

interface ProgressProps {
  budget: number
  paidThisMonth: number
  lastStatementAt: string | null
}

/** How much of the month's budget is given, and whether rewards wait for the owner. */
function Progress({ budget, paidThisMonth, lastStatementAt }: ProgressProps) {
  const now = useNow(DAY_MS)
  const isOld = lastStatementAt === null || now - Date.parse(lastStatementAt) > STATEMENT_OLD_MS
  const share = budget > 0 ? paidThisMonth / budget : 1
  return (
    <div className="grid gap-2 text-sm">
      <p className="tabular text-fg-2">
        {t('{paid} of {budget} this month', { paid: formatRupees(paidThisMonth), budget: formatRupees(budget) })}
      </p>
      <ShareBar share={share} tone={share >= 1 ? 'warn' : 'brand'} />
      {share >= 1 && (
        <p className="text-warn">{t('This month’s budget is spent. Further rewards wait for next month.')}</p>
      )}
      {isOld && (
        <div role="note" className="flex flex-wrap items-center gap-x-1.5 text-warn">
          {t('Rewards wait for a statement.')}
          <AllowedLink
            call={calls.bank.import}
            to="/admin/bank"
            className="inline-flex min-h-11 items-center font-semibold"
            linkClassName="underline"
          >
            {t('Upload one')}
          </AllowedLink>
        </div>
      )}
    </div>
  )
}
