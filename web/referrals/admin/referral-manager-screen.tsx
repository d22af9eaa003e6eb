import type { ReactNode } from 'react'
import { Ban, Plus, Ticket } from 'lucide-react'
import type { ReferralCode } from '../../../contract/referrals.ts'
import { referralCodes, referralsView } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { useRowChange } from '../../platform/admin/use-change.ts'
import { loadWords } from '../../platform/catalogues.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { toastUndo } from '../../platform/admin/toast-undo.ts'
import { navigate, useSearch } from '../../platform/navigation/router.tsx'
import { toast } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DeleteDialog } from '../../ui/admin/forms/delete-dialog.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Page } from '../../ui/page/page.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { openDialog, type DialogProps } from '../../ui/overlays/open-dialog.ts'
import { InviteView } from './invites/invite-view.tsx'
import { actionsOf, columnsOf, faceOf, type CodeRows } from './referral-columns.tsx'
import { useShareCode } from './share-code.ts'
import { ReferralStats } from './top-codes.tsx'
import { filterReferrals, type ReferralFilter } from './usage.ts'
import { draftOf } from './referral-form.ts'
import { Nothing } from '../../ui/admin/lists/nothing.tsx'

const ReferralDialog = lazyPart(() => import('./referral-dialog.tsx').then((file) => file.ReferralDialog))

const PAGE_SIZE = 25
const FILTERS: readonly ReferralFilter[] = ['all', 'active', 'inactive', 'used-up']

/** With the words of the invitations, which no other screen needs. */
export const loadReferrals = () => loadWords('-inviters').then(() => ReferralManagerScreen)

/** The store's codes to sign up with, and what buyers' own codes bring. */
function ReferralManagerScreen() {
  const view = referralsView(useSearch('/admin/referral-manager'))
  const reason = denied(calls.referrals.inviters)
  const views = reason === undefined && (
    <Segmented
      label={t('View')}
      value={view}
      onChange={(next) =>
        void navigate({ to: '/admin/referral-manager', search: { view: next === 'codes' ? undefined : next } })
      }
      options={[
        { value: 'codes', label: t('Codes') },
        { value: 'invites', label: t('Buyers’ invitations') },
      ]}
      className="max-wide:[&>button]:px-2"
    />
  )
  if (view === 'codes') return <Codes views={views} />
  return reason === undefined ? (
    <InviteView views={views} />
  ) : (
    <Page title={t('Referrals')} hideTitle>
      <EmptyState icon={<Ban size={22} />} title={t('You don’t have access')} text={reason} className="py-24" />
    </Page>
  )
}

/** Create, edit, switch and delete sign-up codes, and see their usage. */
function Codes({ views }: { views: ReactNode }) {
  const referrals = usePanel(referralCodes)
  const toggle = useRowChange(referralCodes, 'referrals.update')
  const list = useListSearch('/admin/referral-manager')
  const link = useShareCode()

  const filter = FILTERS.find((each) => each === list.status) ?? 'all'
  const found = referrals.data && filterReferrals(referrals.data, filter, list.search)
  const page = Math.min(list.page, Math.max(0, Math.ceil((found?.length ?? 0) / PAGE_SIZE) - 1))
  const rows: CodeRows = {
    toggle,
    share: link.share,
    show: link.show,
    edit: (referral) => openDialog(ReferralDialog, { referral }),
    remove: (referral) => openDialog(ReferralDeletion, { referral }),
  }
  const create = (
    <Button
      icon={<Plus size={17} aria-hidden />}
      denied={denied(calls.referrals.create)}
      onClick={() => openDialog(ReferralDialog, {})}
    >
      {t('New code')}
    </Button>
  )
  return (
    <RecordList
      title={t('Referrals')}
      heading={t('Referral codes')}
      views={views}
      count={referrals.data?.length}
      above={<ReferralStats />}
      actions={create}
      isEmpty={referrals.data?.length === 0}
      list={list}
      query={referrals}
      rows={found?.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)}
      search={{ label: t('Search referrals'), debounceMs: 0 }}
      filter={{
        label: t('Show codes'),
        value: filter,
        options: [
          { value: 'all', label: t('All') },
          { value: 'active', label: t('Active') },
          { value: 'inactive', label: t('Inactive') },
          { value: 'used-up', label: t('Limit reached') },
        ],
        className: 'max-sm:w-full max-sm:[&>button]:px-1.5',
      }}
      paging={{ page, pageSize: PAGE_SIZE, total: found?.length ?? 0 }}
      columns={columnsOf(rows)}
      face={faceOf}
      actionsOf={(referral) => actionsOf(referral, rows)}
      empty={
        <Nothing
          icon={<Ticket size={22} />}
          first={
            referrals.data?.length === 0 && {
              title: t('No referral codes yet'),
              text: t('Buyers need a code to sign up. Create your first code and share it.'),
              action: create,
            }
          }
          none={{
            search: list.search,
            title: t('No codes found'),
            showAll: t('Show all codes'),
            onShowAll: list.clear,
          }}
        />
      }
    />
  )
}

function ReferralDeletion({ referral, ...dialog }: DialogProps & { referral: ReferralCode }) {
  const remove = useCall('referrals.remove')
  const create = useCall('referrals.create')
  const { code, usageCount } = referral
  const restore = () => create.mutateAsync(draftOf(referral))
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete {code}?', { code })}
      action={async () => {
        await remove.mutateAsync({ id: referral._id })
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
              '{count, plural, one {# user} other {# users}} signed up with this code. Their records and rewards ' +
                'stay. To pause the code, make it inactive instead.',
              { count: usageCount },
            )}
      </p>
    </DeleteDialog>
  )
}
