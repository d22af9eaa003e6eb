import { useState } from 'react'
import { KeyRound, LogOut, Pencil, Plus, RotateCcw, ShieldOff, UserMinus } from 'lucide-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Admin } from '../../../contract/admins.ts'
import { errorMessage } from '../../platform/api-error.ts'
import { client } from '../../platform/client.ts'
import { t } from '../../platform/i18n.ts'
import { calls, roleName, denied } from '../../platform/admin/roles.ts'
import { refreshAdmin, useSession } from '../../platform/session.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/confirm.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { DataTable, type Column } from '../../ui/admin/data-table.tsx'
import { DeleteDialog } from '../../ui/admin/delete-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListPage } from '../../ui/admin/list-page.tsx'
import { Switch } from '../../ui/admin/switch.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { EditAdminDialog, NewAdminDialog, type FirstLogin } from './admin-dialog.tsx'
import { useAdminChange, useAdmins } from './admin-queries.ts'

type Change = Parameters<ReturnType<typeof useAdminChange>['mutate']>[0]

/** Who runs the store, and what each of them may do. For owners. */
export function AdminsScreen() {
  const { admin: self } = useSession()
  const list = useAdmins()
  const change = useAdminChange()
  const creation = useDialog<object>()
  const editor = useDialog<{ admin: Admin }>()
  const removal = useDialog<{ admin: Admin }>()
  const [login, setLogin] = useState<FirstLogin>()
  const [changing, setChanging] = useState<readonly Change[]>([])
  const reason = denied(calls.admins.update)

  /** Changes one admin after a question, and says how it went. */
  const ask = async (question: Parameters<typeof confirm>[0], input: Change, done: string) => {
    if (!(await confirm(question))) return
    setChanging((present) => [...present, input])
    // Not by `mutate`, which tells of nothing but its latest call: another row's may follow.
    try {
      await change.mutateAsync(input)
      toast(done)
    } catch (error) {
      toast(errorMessage(error), { tone: 'bad' })
    } finally {
      setChanging((present) => present.filter((each) => each !== input))
    }
  }
  const columns = columnsOf({
    selfId: self?.id,
    reason,
    changing: changing.map(({ id }) => id),
    edit: (admin) => editor.show({ admin }),
    resetFactor: ({ _id: id, username: name }) =>
      void ask(
        {
          title: t('Remove {name}’s authenticator app?', { name }),
          body: t(
            'Use this if they lost their phone. They’re logged out, and can log in with only a password until they set it up again.',
          ),
          confirmLabel: t('Remove app'),
          danger: true,
        },
        { id, removeSecondFactor: true },
        t('Authenticator app removed for {name}', { name }),
      ),
    endSessions: ({ _id: id, username: name }) =>
      void ask(
        {
          title: t('Log {name} out of all devices?', { name }),
          body: t('They’re logged out right away and can log in again.'),
          confirmLabel: t('Log out'),
          danger: true,
        },
        { id },
        t('{name} logged out of all devices', { name }),
      ),
    remove: (admin) => removal.show({ admin }),
    restore: ({ _id: id, username: name }) =>
      void ask(
        {
          title: t('Restore access for {name}?', { name }),
          body: t('They keep their earlier role and password.'),
          confirmLabel: t('Restore access'),
        },
        { id, disabled: false },
        t('{name} can log in again', { name }),
      ),
  })
  return (
    <>
      <ListPage
        title={t('Admins')}
        heading={t('Admins')}
        count={list.data?.admins.length}
        actions={
          <Button
            icon={<Plus size={17} aria-hidden />}
            denied={denied(calls.admins.create)}
            onClick={() => creation.show({})}
          >
            {t('New admin')}
          </Button>
        }
      >
        <DataTable
          label={t('Admins')}
          columns={columns}
          rows={list.data?.admins}
          rowKey={(admin) => admin._id}
          error={list.error}
          onRetry={list.refetch}
          skeletonRows={3}
          empty={<EmptyState icon={<KeyRound size={22} />} title={t('No admins yet')} />}
        />
        {creation.target && (
          <NewAdminDialog key={creation.turn} open={creation.open} onClose={creation.close} onCreated={setLogin} />
        )}
        {editor.target && (
          <EditAdminDialog
            key={`edit-${editor.turn}`}
            open={editor.open}
            onClose={editor.close}
            onPasswordSet={setLogin}
            isSelf={editor.target.admin._id === self?.id}
            {...editor.target}
          />
        )}
        {removal.target && (
          <Removal key={`remove-${removal.turn}`} open={removal.open} onClose={removal.close} {...removal.target} />
        )}
      </ListPage>
      <Demand />
      <FirstLoginDialog login={login} onClose={() => setLogin(undefined)} />
    </>
  )
}

interface ColumnsOf {
  selfId: string | undefined
  /** Why nothing may be changed here. */
  reason: string | undefined
  /** Those who are being changed. */
  changing: readonly string[]
  edit: (admin: Admin) => void
  resetFactor: (admin: Admin) => void
  endSessions: (admin: Admin) => void
  remove: (admin: Admin) => void
  restore: (admin: Admin) => void
}

function columnsOf(options: ColumnsOf): Column<Admin>[] {
  const { selfId, reason, changing } = options
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
      cell: (admin) => {
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
            <IconButton
              label={t('Edit {name}', { name })}
              icon={<Pencil size={17} aria-hidden />}
              denied={reason}
              onClick={() => options.edit(admin)}
            />
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
      },
    },
  ]
}

/** The account stays for the audit log's sake, and opens nothing any more. */
function Removal({
  admin: { _id: id, username: name },
  ...dialog
}: {
  open: boolean
  admin: Admin
  onClose: () => void
}) {
  const change = useAdminChange()
  return (
    <DeleteDialog
      {...dialog}
      title={t('Remove {name}?', { name })}
      confirmLabel={t('Remove')}
      action={async () => {
        await change.mutateAsync({ id, disabled: true })
        toast(t('{name} removed', { name }))
      }}
    >
      <p>{t('They’re logged out right away and can’t log in again. Their activity stays in the audit log.')}</p>
    </DeleteDialog>
  )
}

/** Name and password, for the person who makes the account to pass on. */
function FirstLoginDialog({ login, onClose }: { login: FirstLogin | undefined; onClose: () => void }) {
  const [shown, setShown] = useState(login)
  // The words stay while the dialog moves out.
  if (login && login !== shown) setShown(login)
  return (
    <Dialog
      open={login !== undefined}
      onClose={onClose}
      sticky
      title={t('Share these details with {name}', { name: shown?.username ?? '' })}
      description={t('This password is shown only once. {name} will set a new one after logging in.', {
        name: shown?.username ?? '',
      })}
      footer={
        <Button data-autofocus onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      <dl className="grid gap-3">
        <div className="grid gap-1">
          <dt className="text-xs text-fg-3">{t('Login page')}</dt>
          <dd>
            <Copyable text={`${location.origin}/admin-login`} what={t('address')} />
          </dd>
        </div>
        <div className="grid gap-1">
          <dt className="text-xs text-fg-3">{t('Username')}</dt>
          <dd>
            <Copyable text={shown?.username ?? ''} what={t('username')} />
          </dd>
        </div>
        <div className="grid gap-1">
          <dt className="text-xs text-fg-3">{t('Password')}</dt>
          <dd>
            <Copyable text={shown?.password ?? ''} what={t('password')} />
          </dd>
        </div>
      </dl>
    </Dialog>
  )
}

/** Whether every admin needs a second factor. */
function Demand() {
  const queries = useQueryClient()
  const { admin } = useSession()
  const settings = useQuery({
    queryKey: ['settings', 'store'],
    queryFn: ({ signal }) => client.settings.store({}, { signal }),
  })
  const save = useMutation({
    mutationFn: (secondFactorRequired: boolean) => client.settings.saveStore({ secondFactorRequired }),
    async onSuccess(saved) {
      queries.setQueryData(['settings', 'store'], saved)
      toast(
        saved.secondFactorRequired
          ? t('Two-step verification is now required for all admins')
          : t('Two-step verification is now optional'),
      )
      await refreshAdmin()
    },
  })
  const change = async (isWanted: boolean) => {
    const isSure =
      !isWanted ||
      admin?.hasSecondFactor ||
      (await confirm({
        title: t('Require two-step verification for all admins?'),
        body: t('You haven’t set it up yourself. You’ll do that first and then come back here.'),
        confirmLabel: t('Require it'),
      }))
    if (isSure) save.mutate(isWanted)
  }
  const isOn = save.isPending ? save.variables : settings.data?.secondFactorRequired
  return (
    <Panel title={t('Two-step verification')} className="mt-4 sm:mt-6">
      <Switch
        label={t('Require two-step verification for all admins')}
        hint={t(
          'Admins must set it up before they can do anything else. Sensitive actions ask for a code or password again.',
        )}
        checked={isOn ?? false}
        disabled={isOn === undefined || save.isPending}
        denied={denied(calls.settings.saveStore)}
        onChange={(isWanted) => void change(isWanted)}
      />
      <div className="mt-2 empty:hidden">{save.error && <FormError>{errorMessage(save.error)}</FormError>}</div>
    </Panel>
  )
}
