import { LogOut, RotateCcw, ShieldOff, UserMinus } from 'lucide-react'
import type { Admin } from '../../../contract/admins.ts'
import { t } from '../../platform/i18n.ts'
import { roleName } from '../../platform/admin/roles.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import type { Column } from '../../ui/admin/data-table.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'
import { EditButton } from '../../ui/admin/row-buttons.tsx'

interface ColumnsOf {
  selfId: string | undefined
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

export function columnsOf(options: ColumnsOf): Column<Admin>[] {
  const { selfId } = options
  return [
    {
      key: 'admin',
      title: t('Admin'),
      card: 'title',
      cell: ({ _id, username, createdAt }) => (
        <>
          <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
            {username}
            {_id === selfId && <Chip tone="brand">{t('You')}</Chip>}
          </p>
          <p className="text-xs text-fg-3">
            {textWith('Added {date}', { date: <Time value={createdAt} format="date" /> })}
          </p>
        </>
      ),
    },
    { key: 'role', title: t('Role'), card: 'aside', cell: ({ role }) => roleName(role) },
    {
      key: 'factor',
      title: t('Two-step verification'),
      card: 'chip',
      cell: ({ hasSecondFactor, disabledAt }) =>
        disabledAt ? (
          <Chip tone="neutral">{t('Removed')}</Chip>
        ) : hasSecondFactor ? (
          <Chip tone="ok">{t('On')}</Chip>
        ) : (
          <Chip tone="warn">{t('Password only')}</Chip>
        ),
    },
    {
      key: 'seen',
      title: t('Last active'),
      cell: ({ lastSeenAt }) => (lastSeenAt ? <Time value={lastSeenAt} /> : <span className="text-fg-3">–</span>),
    },
    {
      key: 'actions',
      title: t('Actions'),
      card: 'actions',
      cell: (admin) => <Actions admin={admin} options={options} />,
    },
  ]
}

function Actions({ admin, options }: { admin: Admin; options: ColumnsOf }) {
  const { reason, changing } = options
  const { _id, username: name, hasSecondFactor, disabledAt } = admin
  if (disabledAt) {
    return (
      <Button
        size="sm"
        variant="secondary"
        icon={<RotateCcw size={16} aria-hidden />}
        denied={reason}
        pending={changing.includes(_id)}
        aria-label={t('Restore access for {name}', { name })}
        onClick={() => options.restore(admin)}
      >
        {t('Restore access')}
      </Button>
    )
  }
  return (
    <>
      <EditButton label={t('Edit {name}', { name })} denied={reason} onClick={() => options.edit(admin)} />
      <IconButton
        label={t('Remove {name}’s authenticator app', { name })}
        icon={<ShieldOff size={17} aria-hidden />}
        disabled={!hasSecondFactor}
        denied={reason}
        onClick={() => options.resetFactor(admin)}
      />
      <IconButton
        label={t('Log {name} out of all devices', { name })}
        icon={<LogOut size={17} aria-hidden />}
        denied={reason}
        onClick={() => options.endSessions(admin)}
      />
      <IconButton
        variant="danger"
        label={t('Remove {name}', { name })}
        icon={<UserMinus size={17} aria-hidden />}
        denied={reason}
        onClick={() => options.remove(admin)}
      />
    </>
  )
}
