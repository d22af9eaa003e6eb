import { Users } from 'lucide-react'
import { LAPSING_SOON_DAYS, USERS_PAGE_SIZE } from '../../../contract/limits.ts'
import type { AdminUser } from '../../../contract/users.ts'
import { useUnderWay } from '../../platform/admin/use-change.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { confirm } from '../../ui/overlays/confirm.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Nothing } from '../../ui/admin/lists/nothing.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { Chip } from '../../ui/chip.tsx'
import { useListedUsers, type UserFilter } from './user-queries.ts'
import { actionsOf, columns, faceOf } from './user-manager-columns.tsx'
import { SignUpLinks } from '../../ui/admin/sign-up-links.tsx'
import { ResetLinkDialog } from './reset-link-dialog.tsx'
import { UserDeletion } from './user-deletion.tsx'

const BlockDialog = lazyPart(() => import('./block-dialog.tsx').then((file) => file.BlockDialog))

const UserDialog = lazyPart(() => import('./user-dialog.tsx').then((file) => file.UserDialog))

const UserPanel = lazyPart(() => import('./user-panel.tsx').then((file) => file.UserPanel))

/** The Users screen: payments, wallet, custom prices, device and deletion of each buyer. */
export function UserManagerScreen() {
  const { list, filter, users } = useListedUsers()
  const { askToUnlock, unlocking } = useUnlockQuestion()
  const { tellUnblocked, unblocking } = useUnblocking()
  const actions = actionsOf({
    unlocking,
    unblocking,
    edit: (user) => openDialog(UserDialog, { user }),
    open: (user) =>
      openDialog(UserPanel, { user, onUnlock: (locked) => void askToUnlock(locked), onUnblock: tellUnblocked }),
    unlock: (user) => void askToUnlock(user),
    sendLink: (user) => openDialog(ResetLinkDialog, { user }),
    block: (user) => openDialog(BlockDialog, { user }),
    unblock: tellUnblocked,
    remove: (user) => openDialog(UserDeletion, { user }),
  })
  const total = users.data?.total ?? 0
  return (
    <RecordList
      title={t('Users')}
      count={users.data?.total}
      isEstimate={users.data?.totalIsEstimate}
      isEmpty={total === 0 && !list.search && !filter && !list.group && users.isSuccess}
      {...(list.group && { above: <OfGroup users={users.data?.users} id={list.group} /> })}
      list={list}
      query={users}
      rows={users.data?.users}
      search={{ label: t('Search name, email or phone') }}
      filter={{
        label: t('Show users'),
        value: filter ?? 'all',
        className: 'w-full sm:w-auto',
        options: [
          { value: 'all', label: t('All') },
          { value: 'money', label: t('With balance') },
          { value: 'lapsing', label: t('Expiring soon') },
          { value: 'new', label: t('New today') },
          { value: 'blocked', label: t('Blocked') },
        ],
      }}
      paging={{ pageSize: USERS_PAGE_SIZE, total, isEstimate: users.data?.totalIsEstimate }}
      columns={columns()}
      face={faceOf}
      actionsOf={actions}
      buttons={3}
      skeletonRows={USERS_PAGE_SIZE}
      empty={
        <Nothing
          icon={<Users size={22} />}
          first={
            !list.search &&
            !filter &&
            !list.group &&
            total === 0 && {
              title: t('No users yet'),
              text: t('Buyers need a referral code to sign up. Create one in Referrals and share the link.'),
              action: <SignUpLinks />,
            }
          }
          none={total > 0 ? beyond(() => list.setPage(0)) : noneFound(list.search, filter, list.clear)}
        />
      }
    />
  )
}

/** Whose group is listed, and the way back to all. */
function OfGroup({ users, id }: { users: readonly AdminUser[] | undefined; id: string }) {
  const name = users?.find(({ group }) => group?._id === id)?.group?.name
  return (
    <p className="mb-3 flex flex-wrap items-center gap-2 text-sm">
      <Chip tone="brand">{name ?? t('Buyer group')}</Chip>
      <Link to="/admin/user-manager" className="text-brand underline">
        {t('Show all users')}
      </Link>
    </p>
  )
}

const beyond = (onShowAll: () => void) => ({
  title: t('This page is empty'),
  text: t('There are users on earlier pages.'),
  showAll: t('Go to first page'),
  onShowAll,
})

function noneFound(search: string, filter: UserFilter | undefined, onShowAll: () => void) {
  const said = {
    money: { title: t('No users with a balance'), text: t('Users with money in their wallet are listed here.') },
    lapsing: {
      title: t('No balance expires in the next {count} days', { count: LAPSING_SOON_DAYS }),
      text: t('Users whose balance is about to expire are listed here.'),
    },
    new: { title: t('No new users today'), text: t('Users who sign up today are listed here.') },
    blocked: { title: t('No blocked users'), text: t('Users you block are listed here.') },
  }
  const unmatched = { title: t('No users found'), text: t('Try part of a name, email or phone number.') }
  return { search, ...(search || !filter ? unmatched : said[filter]), showAll: t('Show all users'), onShowAll }
}

/** Resets device locks after a question, and says how it went. */
function useUnlockQuestion() {
  const { mutateAsync: unlock } = useCall('users.unlockDevice')
  const unlocking = useUnderWay('users.unlockDevice').map(({ id }) => id)
  const askToUnlock = async ({ _id, username: name }: AdminUser) => {
    const isSure = await confirm({
      title: t('Reset the device lock for {name}?', { name }),
      body: t('This logs them out. They can log in on any device right away, without the 24-hour wait.'),
      confirmLabel: t('Reset device lock'),
    })
    if (!isSure) return
    // Avoids `mutate`, which reports only its latest call. A call for another row may follow.
    void unlock({ id: _id }).then(
      () => toast(t('Device lock reset. {name} can now log in on any device.', { name })),
      toastError,
    )
  }
  return { askToUnlock, unlocking }
}

/** Lets users in again at once, and says so. */
function useUnblocking() {
  const { mutateAsync: unblock } = useCall('users.unblock')
  const unblocking = useUnderWay('users.unblock').map(({ id }) => id)
  const tellUnblocked = ({ _id, username: name }: AdminUser) =>
    void unblock({ id: _id }).then(() => toast(t('{name} can log in again', { name })), toastError)
  return { tellUnblocked, unblocking }
}
