import { Users } from 'lucide-react'
import { LAPSING_SOON_DAYS, USERS_PAGE_SIZE } from '../../../contract/limits.ts'
import type { AdminUser } from '../../../contract/users.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { confirm } from '../../ui/overlays/confirm.ts'
import { DataTable } from '../../ui/admin/lists/data-table.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { ListPage } from '../../ui/admin/lists/list-page.tsx'
import { Pagination } from '../../ui/admin/lists/pagination.tsx'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { StatusFilter } from '../../ui/admin/lists/status-filter.tsx'
import { useDeviceUnlock, useListedUsers, type UserFilter } from './user-queries.ts'
import { actionsOf, columns, faceOf } from './user-manager-columns.tsx'
import { SignUpLinks } from '../../ui/admin/sign-up-links.tsx'
import { ResetLinkDialog } from './reset-link-dialog.tsx'
import { UserDeletion } from './user-deletion.tsx'

const UserDialog = lazyPart(() => import('./user-dialog.tsx').then((file) => file.UserDialog))

const UserPanel = lazyPart(() => import('./user-panel.tsx').then((file) => file.UserPanel))

/** The Users screen: payments, wallet, custom prices, device and deletion of each buyer. */
export function UserManagerScreen() {
  const { list, filter, users } = useListedUsers()
  const { askToUnlock, unlocking } = useUnlockQuestion()
  const actions = actionsOf({
    unlocking,
    edit: (user) => openDialog(UserDialog, { user }),
    open: (user) => openDialog(UserPanel, { user, onUnlock: (locked) => void askToUnlock(locked) }),
    unlock: (user) => void askToUnlock(user),
    sendLink: (user) => openDialog(ResetLinkDialog, { user }),
    remove: (user) => openDialog(UserDeletion, { user }),
  })
  const total = users.data?.total ?? 0
  return (
    <ListPage
      title={t('Users')}
      heading={t('Users')}
      count={users.data?.total}
      isEstimate={users.data?.totalIsEstimate}
      search={<SearchInput label={t('Search name, email or phone')} value={list.search} onChange={list.setSearch} />}
      activeFilters={filter ? 1 : 0}
      isEmpty={total === 0 && !list.search && !filter && users.isSuccess}
      filters={
        <StatusFilter
          list={list}
          label={t('Show users')}
          value={filter ?? 'all'}
          className="w-full sm:w-auto"
          options={[
            { value: 'all', label: t('All') },
            { value: 'money', label: t('With balance') },
            { value: 'lapsing', label: t('Expiring soon') },
            { value: 'new', label: t('New today') },
          ]}
        />
      }
      footer={
        total > 0 && (
          <Pagination
            page={list.page}
            pageSize={USERS_PAGE_SIZE}
            total={total}
            isEstimate={users.data?.totalIsEstimate}
            onPage={list.setPage}
          />
        )
      }
    >
      <DataTable
        label={t('Users')}
        columns={columns()}
        face={faceOf}
        actions={actions}
        rows={users.data?.users}
        rowKey={(user) => user._id}
        error={users.error}
        onRetry={users.refetch}
        skeletonRows={USERS_PAGE_SIZE}
        stale={users.isPlaceholderData}
        empty={
          <Nothing
            search={list.search}
            filter={filter}
            isBeyond={total > 0}
            onShowAll={() => (total > 0 ? list.setPage(0) : list.clear())}
          />
        }
      />
    </ListPage>
  )
}

/** Resets device locks after a question, and says how it went. */
function useUnlockQuestion() {
  const { unlock, unlocking } = useDeviceUnlock()
  const askToUnlock = async ({ _id, username: name }: AdminUser) => {
    const isSure = await confirm({
      title: t('Reset the device lock for {name}?', { name }),
      body: t('This logs them out. They can log in on any device right away, without the 24-hour wait.'),
      confirmLabel: t('Reset device lock'),
    })
    if (!isSure) return
    // Avoids `mutate`, which reports only its latest call. A call for another row may follow.
    void unlock(_id).then(
      () => toast(t('Device lock reset. {name} can now log in on any device.', { name })),
      (error: unknown) => toast(errorMessage(error), { tone: 'bad' }),
    )
  }
  return { askToUnlock, unlocking }
}

interface NothingProps {
  search: string
  filter: UserFilter | undefined
  /** There are some, on earlier pages. */
  isBeyond: boolean
  onShowAll: () => void
}

function Nothing({ search, filter, isBeyond, onShowAll }: NothingProps) {
  const icon = <Users size={22} />
  if (!search && !filter && !isBeyond) {
    return (
      <EmptyState
        icon={icon}
        title={t('No users yet')}
        text={t('Buyers need a referral code to sign up. Create one in Referrals and share the link.')}
        action={<SignUpLinks />}
      />
    )
  }
  const none = {
    money: { title: t('No users with a balance'), text: t('Users with money in their wallet are listed here.') },
    lapsing: {
      title: t('No balance expires in the next {count} days', { count: LAPSING_SOON_DAYS }),
      text: t('Users whose balance is about to expire are listed here.'),
    },
    new: { title: t('No new users today'), text: t('Users who sign up today are listed here.') },
  }
  return (
    <EmptyState
      icon={icon}
      title={
        isBeyond
          ? t('This page is empty')
          : search
            ? t('No users match “{search}”', { search })
            : filter && none[filter].title
      }
      text={
        isBeyond
          ? t('There are users on earlier pages.')
          : search
            ? t('Try part of a name, email or phone number.')
            : filter && none[filter].text
      }
      action={
        <Button variant="secondary" onClick={onShowAll}>
          {isBeyond ? t('Go to first page') : t('Show all users')}
        </Button>
      }
    />
  )
}
