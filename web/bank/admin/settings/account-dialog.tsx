import { bank } from '../../../../contract/bank.ts'
import { BANKS, OTHER_BANK } from '../../../../contract/banks.ts'
import type { BankAccount } from '../../../../contract/bank-shapes.ts'
import { useChange } from '../../../platform/calls/use-call.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import { Select } from '../../../ui/admin/forms/select.tsx'
import { Switch } from '../../../ui/admin/forms/switch.tsx'
import { TextField, useForm } from '../../../ui/admin/forms/use-form.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { AT_ONCE } from '../bank-queries.ts'

/** Reports of their money can be uploaded, too. */
const APPS = ['PhonePe', 'Paytm']
const BY_NAME = BANKS.toSorted((one, other) => one.name.localeCompare(other.name))

type AccountDraft = Pick<BankAccount, 'bank' | 'label' | 'tail' | 'feedsStore'> & { closed: boolean }

interface AccountDialogProps extends DialogProps {
  /** A new one without it. */
  account?: BankAccount
}

/** Edits a bank account, or adds one. */
export function AccountDialog({ account, ...dialog }: AccountDialogProps) {
  const { bank: before = '', label = '', tail = '', feedsStore = true } = account ?? {}
  const isOther = ![...BANKS.map(({ key }) => key), ...APPS, OTHER_BANK, ''].includes(before)
  const saved = ({ closed, ...fields }: AccountDraft) =>
    account
      ? client.bank.saveAccount({ id: account._id, ...fields, ...(closed && { closed }) })
      : client.bank.createAccount(fields)
  const form = useForm({
    dialog,
    start: { bank: before, label, tail, feedsStore, closed: false },
    input: bank.createAccount.input,
    save: useChange('bank', saved, AT_ONCE),
    send: (typed) => typed,
  })
  return (
    <EditDialog
      {...form.dialog}
      title={account ? t('Edit {name}', { name: account.label }) : t('Add a bank account')}
      submitLabel={account ? t('Save changes') : t('Add account')}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('Bank')} error={form.faults['bank']}>
          <Select
            required
            data-autofocus
            value={form.draft.bank}
            onChange={({ target }) => form.change({ bank: target.value })}
          >
            <option value="">{t('Choose a bank')}</option>
            {BY_NAME.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
            {APPS.map((name) => (
              <option key={name}>{name}</option>
            ))}
            <option value={OTHER_BANK}>{t('Other bank')}</option>
            {isOther && <option>{before}</option>}
          </Select>
        </Field>
        <TextField
          {...form.of('tail')}
          label={t('Last digits')}
          hint={t('2 to 6 digits of the account number')}
          inputMode="numeric"
          maxLength={6}
        />
        <TextField {...form.of('label')} label={t('Name')} hint={t('For example “Current account”')} maxLength={60} />
      </div>
      <Switch
        label={t('Top-ups come here')}
        hint={t('Match top-up requests with money in this account.')}
        checked={form.draft.feedsStore}
        onChange={(on) => form.change({ feedsStore: on })}
      />
      {account && (
        <Switch
          label={t('Stop using this account')}
          hint={t('Its history stays. You can’t upload new statements.')}
          checked={form.draft.closed}
          onChange={(closed) => form.change({ closed })}
        />
      )}
    </EditDialog>
  )
}
