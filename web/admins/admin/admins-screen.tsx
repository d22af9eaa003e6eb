import { useState } from 'react'
import { KeyRound, Plus } from 'lucide-react'
import type { Admin } from '../../../contract/admins.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useSession } from '../../platform/session/session.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { confirm } from '../../ui/overlays/confirm.ts'
import { DataTable } from '../../ui/admin/lists/data-table.tsx'
import { DeleteDialog } from '../../ui/admin/forms/delete-dialog.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListPage } from '../../ui/admin/lists/list-page.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { openDialog, type DialogProps } from '../../ui/overlays/open-dialog.ts'
import { EditAdminDialog, NewAdminDialog, type FirstLogin } from './admin-dialog.tsx'
import { ask } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { useCall, type CallInput } from '../../platform/calls/use-call.ts'
import { actionsOf, columnsOf, type AdminActions } from './admin-columns.tsx'
import { FirstLoginDialog } from './first-login-dialog.tsx'
import { SecondFactorDemand } from './second-factor-demand.tsx'

type Change = CallInput<'admins.update'>

const showLogin = (login: FirstLogin) => openDialog(FirstLoginDialog, { login })

/** The Admins screen: accounts and roles of the staff. For owners. */
export function AdminsScreen() {
  const { admin: self } = useSession()
  const list = usePanel(ask('admins', 'list', {}))
  const questions = useAdminQuestions()

  const actions: AdminActions = {
    reason: denied(calls.admins.update),
    edit: (admin) => openDialog(EditAdminDialog, { admin, isSelf: admin._id === self?.id, onPasswordSet: showLogin }),
    remove: (admin) => openDialog(Removal, { admin }),
    ...questions,
  }
  if (list.isPending)
    return (
      <Page title={t('Admins')} hideTitle>
        <Loading>
          <Skeleton className="h-60" />
        </Loading>
      </Page>
    )
  return (
    <>
      <ListPage
        title={t('Admins')}
        count={list.data?.admins.length}
        actions={
          <Button
            icon={<Plus size={17} aria-hidden />}
            denied={denied(calls.admins.create)}
            onClick={() => openDialog(NewAdminDialog, { onCreated: showLogin })}
          >
            {t('New admin')}
          </Button>
        }
      >
        <DataTable
          label={t('Admins')}
          columns={columnsOf(self?.id)}
          face={({ username }) => ({ name: username })}
          actions={(admin) => actionsOf(admin, actions)}
          rows={list.data?.admins}
          rowKey={(admin) => admin._id}
          error={list.error}
          onRetry={list.refetch}
          empty={<EmptyState icon={<KeyRound size={22} />} title={t('No admins yet')} />}
        />
      </ListPage>
      <SecondFactorDemand />
    </>
  )
}

/** Row actions that change an admin right after a question. */
function useAdminQuestions() {
  const change = useCall('admins.update')
  const [changing, setChanging] = useState<readonly Change[]>([])
  /** Changes one admin after a question, and shows the result. */
  const ask = async (question: Parameters<typeof confirm>[0], input: Change, done: string) => {
    if (!(await confirm(question))) return
    setChanging((present) => [...present, input])
    // Avoids `mutate`, which reports only its latest call. A call for another row may follow.
    try {
      await change.mutateAsync(input)
      toast(done)
    } catch (error) {
      toastError(error)
    } finally {
      setChanging((present) => present.filter((each) => each !== input))
    }
  }
  return {
    changing: changing.map(({ id }) => id),
    resetFactor: ({ _id: id, username: name }: Admin) =>
      void ask(
        {
          title: t('Remove {name}’s authenticator app?', { name }),
          body: t(
            'Use this if they lost their phone. They’re logged out, and can log in with only a password until ' +
              'they set it up again.',
          ),
          confirmLabel: t('Remove app'),
          danger: true,
        },
        { id, removeSecondFactor: true },
        t('Authenticator app removed for {name}', { name }),
      ),
    endSessions: ({ _id: id, username: name }: Admin) =>
      void ask(
        {
          title: t('Log {name} out of all devices?', { name }),
          body: t('They’re logged out right away and can log in again.'),
          confirmLabel: t('Logout'),
          danger: true,
        },
        { id },
        t('{name} logged out of all devices', { name }),
      ),
    restore: ({ _id: id, username: name }: Admin) =>
      void ask(
        {
          title: t('Restore access for {name}?', { name }),
          body: t('They keep their earlier role and password.'),
          confirmLabel: t('Restore access'),
        },
        { id, disabled: false },
        t('{name} can log in again', { name }),
      ),
  }
}

/** Keeps the account, because the audit log names it, but it can no longer log in. */
function Removal({ admin: { _id: id, username: name }, ...dialog }: DialogProps & { admin: Admin }) {
  const change = useCall('admins.update')
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
