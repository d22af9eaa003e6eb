import { useState } from 'react'
import { Dices } from 'lucide-react'
import * as z from 'zod/mini'
import { admins, type Admin } from '../../../contract/admins.ts'
import { ADMIN_ROLES, type AdminRole } from '../../../contract/endpoint.ts'
import { ADMIN_PASSWORD_LENGTH_MIN } from '../../../contract/limits.ts'
import { fieldErrorsOf, formErrorOf } from '../../platform/admin/form-errors.ts'
import { t } from '../../platform/i18n.ts'
import { roleDescription, roleName } from '../../platform/admin/roles.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { useAdminChange, useAdminCreation } from './admin-queries.ts'

/** Login details to pass on to the admin. They are not shown again. */
export interface FirstLogin {
  username: string
  password: string
}

const NEW_FIELDS = ['username', 'password', 'role']

type NewAdminDialogProps = DialogProps & { onCreated: (login: FirstLogin) => void }

export function NewAdminDialog({ onCreated, ...dialog }: NewAdminDialogProps) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<AdminRole>('support')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const creation = useAdminCreation()
  const edit = (field: string, set: (text: string) => void) => (text: string) => {
    set(text)
    setFaults({ ...faults, [field]: '' })
    if (creation.isError) creation.reset()
  }
  const faultOf = (field: string) => faults[field] || fieldErrorsOf(creation.error)[field] || undefined
  const submit = () => {
    const read = z.safeParse(admins.create.input, { username, password, role })
    if (!read.success) {
      setFaults(Object.fromEntries(read.error.issues.map(({ path, message }) => [String(path[0]), t(message)])))
      return
    }
    creation.mutate(read.data, {
      onSuccess: (admin) => {
        dialog.onClose()
        onCreated({ username: admin.username, password })
      },
    })
  }
  return (
    <EditDialog
      {...dialog}
      title={t('New admin')}
      submitLabel={t('Add admin')}
      dirty={username !== '' || password !== ''}
      pending={creation.isPending}
      error={formErrorOf(creation.error, NEW_FIELDS)}
      onSubmit={submit}
    >
      <Field label={t('Username')} error={faultOf('username')}>
        <Input
          data-autofocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          onChange={(event) => edit('username', setUsername)(event.target.value)}
        />
      </Field>
      <RoleField role={role} onChange={setRole} />
      <FirstPassword password={password} onChange={edit('password', setPassword)} fault={faultOf('password')} />
    </EditDialog>
  )
}

interface EditAdminDialogProps extends DialogProps {
  admin: Admin
  /** The one who edits. */
  isSelf: boolean
  onPasswordSet: (login: FirstLogin) => void
}

export function EditAdminDialog({ admin, isSelf, onPasswordSet, ...dialog }: EditAdminDialogProps) {
  const [role, setRole] = useState(admin.role)
  const [password, setPassword] = useState('')
  const change = useAdminChange()
  const isChanged = role !== admin.role || password !== ''
  const submit = () => {
    if (!isChanged) {
      dialog.onClose()
      return
    }
    change.mutate(
      { id: admin._id, ...(role !== admin.role && { role }), ...(password && { password }) },
      {
        onSuccess: () => {
          dialog.onClose()
          if (password) onPasswordSet({ username: admin.username, password })
          else toast(t('{name} saved', { name: admin.username }))
        },
      },
    )
  }
  return (
    <EditDialog
      {...dialog}
      title={t('Edit {name}', { name: admin.username })}
      {...(!isSelf && { description: t('Saving logs them out of all devices.') })}
      submitLabel={t('Save changes')}
      dirty={isChanged}
      pending={change.isPending}
      error={formErrorOf(change.error, ['password', 'role'])}
      onSubmit={submit}
    >
      <RoleField
        role={role}
        onChange={(next) => {
          setRole(next)
          if (change.isError) change.reset()
        }}
      />
      {!isSelf && (
        <FirstPassword
          password={password}
          onChange={(next) => {
            setPassword(next)
            if (change.isError) change.reset()
          }}
          fault={fieldErrorsOf(change.error)['password']}
          isOptional
        />
      )}
    </EditDialog>
  )
}

function RoleField({ role, onChange }: { role: AdminRole; onChange: (role: AdminRole) => void }) {
  return (
    <Field label={t('Role')} hint={roleDescription(role)}>
      <Select value={role} onChange={(event) => onChange(event.target.value as AdminRole)}>
        {ADMIN_ROLES.map((each) => (
          <option key={each} value={each}>
            {roleName(each)}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface FirstPasswordProps {
  password: string
  onChange: (password: string) => void
  fault: string | undefined
  isOptional?: boolean
}

function FirstPassword({ password, onChange, fault, isOptional }: FirstPasswordProps) {
  return (
    <div className="grid gap-2">
      <Field
        label={isOptional ? t('New password') : t('Temporary password')}
        {...(isOptional && { optional: true })}
        hint={t('At least {count} characters. They’ll set their own after logging in.', {
          count: ADMIN_PASSWORD_LENGTH_MIN,
        })}
        error={fault}
      >
        <PasswordInput
          autoComplete="new-password"
          value={password}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <Button
        variant="ghost"
        size="sm"
        className="justify-self-start"
        icon={<Dices size={16} aria-hidden />}
        onClick={() => onChange(randomPassword())}
      >
        {t('Generate password')}
      </Button>
    </div>
  )
}

/** Letters and digits that are not taken for each other when read aloud. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 5
const GROUP_LENGTH = 4

/** About 99 random bits: of each byte, only a value that keeps all letters equally likely is taken. */
function randomPassword(): string {
  const fair = 256 - (256 % ALPHABET.length)
  let letters = ''
  while (letters.length < GROUPS * GROUP_LENGTH) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < fair) letters += ALPHABET.charAt(byte % ALPHABET.length)
  }
  return letters.match(/.{4}/g)?.join('-') ?? letters
}
