import { Dices } from 'lucide-react'
import * as z from 'zod/mini'
import { admins, type Admin } from '../../../contract/admins.ts'
import { ADMIN_ROLES, type AdminRole } from '../../../contract/endpoint.ts'
import { ADMIN_PASSWORD_LENGTH_MIN } from '../../../contract/limits.ts'
import { t } from '../../platform/i18n.ts'
import { roleDescription, roleName } from '../../platform/admin/roles.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { useCall } from '../../platform/calls/use-call.ts'

/** Login details to pass on to the admin. They are not shown again. */
export interface FirstLogin {
  username: string
  password: string
}

/** The least that an admin may do. */
const FIRST_ROLE: AdminRole = 'support'

type NewAdminDialogProps = DialogProps & { onCreated: (login: FirstLogin) => void }

export function NewAdminDialog({ onCreated, ...dialog }: NewAdminDialogProps) {
  const form = useForm({
    dialog,
    start: { username: '', password: '', role: FIRST_ROLE },
    input: admins.create.input,
    save: useCall('admins.create'),
    send: (typed) => typed,
    onSaved: ({ username }, { password }) => onCreated({ username, password }),
  })
  return (
    <EditDialog {...form.dialog} title={t('New admin')} submitLabel={t('Add admin')}>
      <TextField
        {...form.of('username')}
        label={t('Username')}
        data-autofocus
        autoCapitalize="none"
        spellCheck={false}
      />
      <RoleField role={form.draft.role} onChange={(role) => form.change({ role })} />
      <FirstPassword {...form.of('password')} />
    </EditDialog>
  )
}

interface EditAdminDialogProps extends DialogProps {
  admin: Admin
  /** The one who edits. */
  isSelf: boolean
  onPasswordSet: (login: FirstLogin) => void
}

/** The server checks a new password. Without one, the old one stays. */
const Change = z.pick(admins.create.input, { role: true })

export function EditAdminDialog({ admin, isSelf, onPasswordSet, ...dialog }: EditAdminDialogProps) {
  const form = useForm({
    dialog,
    start: { role: admin.role, password: '' },
    input: Change,
    save: useCall('admins.update'),
    send: (_, changed) => ({ id: admin._id, ...changed }),
    onSaved: (_, { password }) => {
      if (password) onPasswordSet({ username: admin.username, password })
      else toast(t('{name} saved', { name: admin.username }))
    },
  })
  return (
    <EditDialog
      {...form.dialog}
      title={t('Edit {name}', { name: admin.username })}
      {...(!isSelf && { description: t('Saving logs them out of all devices.') })}
      submitLabel={t('Save changes')}
    >
      <RoleField role={form.draft.role} onChange={(role) => form.change({ role })} />
      {!isSelf && <FirstPassword {...form.of('password')} isOptional />}
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
  name: string
  value: string
  error: string | undefined
  onText: (password: string) => void
  isOptional?: boolean
}

function FirstPassword({ name, value, error, onText, isOptional }: FirstPasswordProps) {
  return (
    <div className="grid gap-2">
      <Field
        label={isOptional ? t('New password') : t('Temporary password')}
        {...(isOptional && { optional: true })}
        hint={t('Use at least {count} characters. They’ll set their own after logging in.', {
          count: ADMIN_PASSWORD_LENGTH_MIN,
        })}
        error={error}
      >
        <PasswordInput
          name={name}
          autoComplete="new-password"
          value={value}
          onChange={(event) => onText(event.target.value)}
        />
      </Field>
      <Button
        variant="ghost"
        size="sm"
        className="justify-self-start"
        icon={<Dices size={16} aria-hidden />}
        onClick={() => onText(randomPassword())}
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
