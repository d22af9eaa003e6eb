import { Pencil, Smartphone, Trash2, UserRound, Users } from 'lucide-react'
import { LAPSING_SOON_DAYS, USERS_PAGE_SIZE } from '../../../contract/limits.ts'
import type { AdminUser } from '../../../contract/users.ts'
import { errorMessage } from '../../platform/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/confirm.ts'
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
import { Segmented } from '../../ui/segmented.tsx'
import { Time } from '../../ui/time.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useDeviceUnlock, useUserRemoval, useUsers, type Holding } from './user-queries.ts'

const UserDialog = lazyPart(() => import('./user-dialog.tsx').then((file) => file.UserDialog))
const UserPanel = lazyPart(() => import('./user-panel.tsx').then((file) => file.UserPanel))

/** Buyers: what they hold and pay, their wallet, their own prices, their device, and the way out. */
export function UserManagerScreen() {
  const list = useListSearch('/admin/user-manager')
  const holding = list.status === 'money' || list.status === 'lapsing' ? list.status : undefined
  const users = useUsers(list.search, list.page, holding)
  const { unlock, unlocking } = useDeviceUnlock()
  const editor = useDialog<{ user: AdminUser }>()
  const panel = useDialog<{ user: AdminUser }>()
  const deletion = useDialog<{ user: AdminUser }>()

  /** As it is now, or was when it was last in the list. */
  const latest = (user: AdminUser) => users.data?.users.find(({ _id }) => _id === user._id) ?? user

  const askToUnlock = async ({ _id, username: name }: AdminUser) => {
    const isSure = await confirm({
      title: t('Reset the device lock for {name}?', { name }),
      body: t('This logs them out. They can log in on any device right away, without the 24-hour wait.'),
      confirmLabel: t('Reset device lock'),
    })
    if (!isSure) return
    // Not by `mutate`, which tells of nothing but its latest call: another row's may follow.
    void unlock(_id).then(
      () => toast(t('Device lock reset. {name} can now log in on any device.', { name })),
      (error: unknown) => toast(errorMessage(error), { tone: 'bad' }),
    )
  }
  const columns = columnsOf({
    unlocking,
    edit: (user) => editor.show({ user }),
    open: (user) => panel.show({ user }),
    unlock: (user) => void askToUnlock(user),
    remove: (user) => deletion.show({ user }),
  })
  const total = users.data?.total ?? 0
  return (
    <ListPage
      title={t('User manager')}
      heading={t('Users')}
      count={users.data?.total}
      isEstimate={users.data?.totalIsEstimate}
      search={<SearchInput label={t('Search name or email')} value={list.search} onChange={list.setSearch} />}
      filters={
        <Segmented
          label={t('Show users')}
          value={holding ?? 'all'}
          onChange={(next) => list.setStatus(next === 'all' ? undefined : next)}
          className="w-full sm:w-auto"
          options={[
            { value: 'all', label: t('All') },
            { value: 'money', label: t('With balance') },
            { value: 'lapsing', label: t('Expiring soon') },
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
        columns={columns}
        rows={users.data?.users}
        rowKey={(user) => user._id}
        error={users.error}
        onRetry={users.refetch}
        skeletonRows={USERS_PAGE_SIZE}
        stale={users.isPlaceholderData}
        empty={
          <Nothing
            search={list.search}
            holding={holding}
            isBeyond={total > 0}
            onShowAll={() => (total > 0 ? list.setPage(0) : list.clear())}
          />
        }
      />
      {editor.target && (
        <UserDialog
          key={`edit-${editor.turn}`}
          open={editor.open}
          onClose={editor.close}
          user={editor.target.user}
          balance={latest(editor.target.user).balance}
        />
      )}
      {panel.target && (
        <UserPanel
          key={`panel-${panel.turn}`}
          open={panel.open}
          onClose={panel.close}
          // As it is now: a session ended in the panel changes what is said of the device.
          user={latest(panel.target.user)}
          onUnlock={(user) => void askToUnlock(user)}
        />
      )}
      {deletion.target && (
        <Deletion key={`delete-${deletion.turn}`} open={deletion.open} onClose={deletion.close} {...deletion.target} />
      )}
    </ListPage>
  )
}

interface ColumnsOf {
  /** The users whose devices are being unlocked. */
  unlocking: readonly string[]
  edit: (user: AdminUser) => void
  open: (user: AdminUser) => void
  unlock: (user: AdminUser) => void
  remove: (user: AdminUser) => void
}

function columnsOf({ unlocking, edit, open, unlock, remove }: ColumnsOf): Column<AdminUser>[] {
  return [
    {
      key: 'user',
      title: t('User'),
      card: 'title',
      cell: ({ username, email }) => (
        <>
          <p className="font-medium wrap-anywhere">{username}</p>
          <p className="text-xs wrap-anywhere text-fg-3">{email}</p>
        </>
      ),
    },
    {
      key: 'contact',
      title: t('Contact'),
      cell: ({ contact }) =>
        contact ? (
          <span className="-my-3 inline-flex items-center">
            <a href={`tel:+91${contact}`} className="tabular rounded-chip font-mono text-sm hover:underline">
              {contact}
            </a>
            <CopyButton text={contact} what={t('phone {phone}', { phone: contact })} />
          </span>
        ) : (
          <span className="text-fg-3">–</span>
        ),
    },
    {
      key: 'joined',
      title: t('Joined'),
      cell: ({ createdAt, lastSeenAt }) => (
        <>
          <p className="text-fg-2">
            <Time value={createdAt} format="date" />
          </p>
          <p className="text-xs text-fg-3">
            {lastSeenAt ? (
              <>
                {t('Last active')} <Time value={lastSeenAt} />
              </>
            ) : (
              t('Not active recently')
            )}
          </p>
        </>
      ),
    },
    { key: 'pricing', title: t('Pricing'), card: 'chip', cell: (user) => <Pricing user={user} /> },
    {
      key: 'balance',
      title: t('Balance'),
      card: 'aside',
      align: 'right',
      cell: ({ balance }) => <Money rupees={balance} className="font-semibold" />,
    },
    {
      key: 'actions',
      title: t('Actions'),
      card: 'actions',
      cell: (user) => {
        const name = user.username
        return (
          <>
            <IconButton
              label={t('Edit {name}', { name })}
              icon={<Pencil size={17} aria-hidden />}
              onClick={() => edit(user)}
            />
            <IconButton
              label={t('Payments, keys and devices of {name}', { name })}
              icon={<UserRound size={17} aria-hidden />}
              onClick={() => open(user)}
            />
            <IconButton
              label={t('Reset device lock for {name}', { name })}
              icon={<Smartphone size={17} aria-hidden />}
              disabled={user.deviceLockedAt === null}
              denied={denied(calls.users.unlockDevice)}
              pending={unlocking.includes(user._id)}
              onClick={() => unlock(user)}
            />
            <IconButton
              variant="danger"
              label={t('Delete {name}', { name })}
              icon={<Trash2 size={17} aria-hidden />}
              denied={denied(calls.users.remove)}
              onClick={() => remove(user)}
            />
          </>
        )
      },
    },
  ]
}

function Pricing({ user: { customPrices, hiddenProducts } }: { user: AdminUser }) {
  if (customPrices.length === 0 && hiddenProducts.length === 0) return <Chip>{t('Standard')}</Chip>
  return (
    <span className="flex flex-wrap gap-1.5">
      {customPrices.length > 0 && (
        <Chip tone="brand">
          {t('{count, plural, one {# custom price} other {# custom prices}}', { count: customPrices.length })}
        </Chip>
      )}
      {hiddenProducts.length > 0 && (
        <Chip tone="warn">
          {t('{count, plural, one {# hidden product} other {# hidden products}}', { count: hiddenProducts.length })}
        </Chip>
      )}
    </span>
  )
}

interface DeletionProps {
  open: boolean
  user: AdminUser
  onClose: () => void
}

function Deletion({ user: { _id, username: name, email, balance }, ...dialog }: DeletionProps) {
  const removal = useUserRemoval()
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete {name}?', { name })}
      confirmLabel={t('Delete user')}
      failure={(error) => `${t('Failed to delete user.')} ${errorMessage(error)}`}
      action={async () => {
        await removal.mutateAsync(_id)
        toast(t('{name} deleted', { name }))
      }}
    >
      <p>
        {t('The account {email} is logged out and closed right away. Name, email and phone number are erased.', {
          email,
        })}
      </p>
      {balance > 0 && (
        <p className="font-medium text-warn">
          {t('The wallet balance of {amount} will be lost.', { amount: formatRupees(balance) })}
        </p>
      )}
      <p>{t('Pending top-ups are rejected. Bought keys are no longer visible to anyone.')}</p>
      <p>{t('Payment and sales records are kept without personal details. This can’t be undone.')}</p>
    </DeleteDialog>
  )
}

interface NothingProps {
  search: string
  holding: Holding | undefined
  /** There are some, on earlier pages. */
  isBeyond: boolean
  onShowAll: () => void
}

function Nothing({ search, holding, isBeyond, onShowAll }: NothingProps) {
  const icon = <Users size={22} />
  if (!search && !holding && !isBeyond) {
    return (
      <EmptyState
        icon={icon}
        title={t('No users yet')}
        text={t('Buyers need a referral code to sign up. Create one in Referrals and share the link.')}
      />
    )
  }
  return (
    <EmptyState
      icon={icon}
      title={
        isBeyond
          ? t('This page is empty')
          : search
            ? t('No users match “{search}”', { search })
            : holding === 'money'
              ? t('No users with a balance')
              : t('No balance expires in the next {count} days', { count: LAPSING_SOON_DAYS })
      }
      text={
        isBeyond
          ? t('There are users on earlier pages.')
          : search
            ? t('Try part of a name or email.')
            : t('Users whose balance is about to expire are listed here.')
      }
      action={
        <Button variant="secondary" onClick={onShowAll}>
          {isBeyond ? t('Go to first page') : t('Show all users')}
        </Button>
      }
    />
  )
}
