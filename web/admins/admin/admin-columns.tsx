import { LogOut, RotateCcw, ShieldOff, UserMinus } from 'lucide-react'
import type { Admin } from '../../../contract/admins.ts'
import { t } from '../../platform/i18n.ts'
import { roleName } from '../../platform/admin/roles.ts'
import { Chip } from '../../ui/chip.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import { cx } from '../../ui/cx.ts'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import { editing } from '../../ui/admin/lists/usual-actions.tsx'

export interface AdminActions {
  /** The reason why this admin may change nothing; undefined if they may. */
  reason: string | undefined
  /** Ids of admins with a change under way. */
  changing: readonly string[]
  edit: (admin: Admin) => void
  resetFactor: (admin: Admin) => void
  endSessions: (admin: Admin) => void
  remove: (admin: Admin) => void
  restore: (admin: Admin) => void
}

export function columnsOf(selfId: string | undefined): Column<Admin>[] {
  return [
    {
      title: t('Admin'),
      card: 'title',
      cell: ({ _id, username }, onCard) => (
        <span className={cx('flex flex-wrap items-center gap-2 wrap-anywhere', !onCard && 'font-medium')}>
          {username}
          {_id === selfId && <Chip tone="brand">{t('You')}</Chip>}
        </span>
      ),
      small: addedText,
    },
    { title: t('Role'), card: 'caption', cell: ({ role }) => roleName(role) },
    { title: t('Two-step verification'), card: 'state', cell: factorOf },
    {
      title: t('Last active'),
      fact: ({ lastSeenAt }) =>
        lastSeenAt && (
          <>
            {t('Last active')} <Time value={lastSeenAt} />
          </>
        ),
      cell: ({ lastSeenAt }) => (lastSeenAt ? <Time value={lastSeenAt} /> : <span className="text-fg-3">–</span>),
    },
  ]
}

function addedText({ createdAt }: Admin) {
  return textWith('Added {date}', { date: <Time value={createdAt} format="date" /> })
}

function factorOf({ hasSecondFactor, disabledAt }: Admin) {
  if (disabledAt) return <Chip tone="neutral">{t('Removed')}</Chip>
  return hasSecondFactor ? <Chip tone="ok">{t('On')}</Chip> : <Chip tone="warn">{t('Password only')}</Chip>
}

export function actionsOf(admin: Admin, options: AdminActions): Action[] {
  const { reason, changing } = options
  const { _id, username: name, hasSecondFactor, disabledAt } = admin
  const change = { denied: reason, pending: changing.includes(_id) }
  if (disabledAt) {
    return [
      {
        ...change,
        label: t('Restore access'),
        name: t('Restore access for {name}', { name }),
        icon: <RotateCcw size={16} aria-hidden />,
        run: () => options.restore(admin),
      },
    ]
  }
  return [
    editing({ name: t('Edit {name}', { name }), denied: reason, run: () => options.edit(admin) }),
    {
      ...change,
      label: t('Logout'),
      name: t('Log {name} out of all devices', { name }),
      icon: <LogOut size={17} aria-hidden />,
      run: () => options.endSessions(admin),
    },
    {
      ...change,
      label: t('Remove authenticator app'),
      name: t('Remove {name}’s authenticator app', { name }),
      icon: <ShieldOff size={17} aria-hidden />,
      disabled: !hasSecondFactor,
      danger: true,
      run: () => options.resetFactor(admin),
    },
    {
      label: t('Remove'),
      name: t('Remove {name}', { name }),
      icon: <UserMinus size={17} aria-hidden />,
      denied: reason,
      danger: true,
      run: () => options.remove(admin),
    },
  ]
}
