import { Plus } from 'lucide-react'
import { useState } from 'react'
import { BANKS, OTHER_BANK } from '../../../../contract/banks.ts'
import type { BankAccount } from '../../../../contract/bank-shapes.ts'
import { middayOf } from '../../../../contract/india.ts'
import { formatDate } from '../../../platform/dates.ts'
import { fieldErrorsOf, formErrorOf } from '../../../platform/admin/form-errors.ts'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { CardError } from '../../../ui/admin/forms/settings-form.tsx'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import { Select } from '../../../ui/admin/forms/select.tsx'
import { Switch } from '../../../ui/admin/forms/switch.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { openDialog, type DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { useBankAccounts, useBankChange } from '../bank-queries.ts'

/** Reports of their money can be uploaded, too. */
const APPS = ['PhonePe', 'Paytm']
const BY_NAME = BANKS.toSorted((one, other) => one.name.localeCompare(other.name))

export function AccountsSection() {
  const accounts = useBankAccounts()
  if (accounts.error && !accounts.data) return <CardError error={accounts.error} onRetry={accounts.refetch} />
  return (
    <Panel
      title={t('Bank accounts')}
      description={t('Use a bank account only for top-ups, so that other money isn’t mistaken for a payment.')}
    >
      <ul className="divide-y divide-line">
        {accounts.data?.map((account) => (
          <li key={account._id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{account.label}</p>
              <p className="text-xs text-fg-3">
                {account.bank} ··{account.tail}
                {' · '}
                {account.coveredTo
                  ? t('statements up to {day}', { day: formatDate(middayOf(account.coveredTo)) })
                  : t('no statement yet')}
              </p>
            </div>
            <div className="flex items-center gap-2">
              {!account.feedsStore && <Chip tone="outline">{t('Not for top-ups')}</Chip>}
              <Button
                size="sm"
                variant="secondary"
                aria-label={t('Edit {name}', { name: account.label })}
                denied={denied(calls.bank.saveAccount)}
                onClick={() => openDialog(AccountDialog, { account })}
              >
                {t('Edit')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {accounts.data?.length === 0 && (
        <p className="text-sm text-fg-2">{t('Add the account that buyers pay to. Then upload its statements.')}</p>
      )}
      <Button
        className="mt-3 justify-self-start"
        icon={<Plus size={17} aria-hidden />}
        denied={denied(calls.bank.createAccount)}
        onClick={() => openDialog(AccountDialog, {})}
      >
        {t('Add account')}
      </Button>
    </Panel>
  )
}

interface AccountDialogProps extends DialogProps {
  /** A new one without it. */
  account?: BankAccount
}

function AccountDialog({ account, ...dialog }: AccountDialogProps) {
  const before = { bank: '', label: '', tail: '', feedsStore: true, closed: false, ...account }
  const [fields, setFields] = useState(before)
  const { bank, label, tail, feedsStore, closed } = fields
  const isOther = ![...BANKS.map(({ key }) => key), ...APPS, OTHER_BANK, ''].includes(before.bank)
  const save = useBankChange(() =>
    account
      ? client.bank.saveAccount({ id: account._id, bank, label, tail, feedsStore, ...(closed && { closed }) })
      : client.bank.createAccount({ bank, label, tail, feedsStore }),
  )
  const refused = fieldErrorsOf(save.error)
  const text = (name: 'bank' | 'label' | 'tail') => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
  })
  return (
    <EditDialog
      {...dialog}
      title={account ? t('Edit {name}', { name: account.label }) : t('Add a bank account')}
      submitLabel={account ? t('Save changes') : t('Add account')}
      dirty={fields !== before && JSON.stringify(fields) !== JSON.stringify(before)}
      pending={save.isPending}
      error={formErrorOf(save.error, ['bank', 'label', 'tail'])}
      onSubmit={() => save.mutate(undefined, { onSuccess: dialog.onClose })}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('Bank')} error={refused['bank']}>
          <Select required data-autofocus {...text('bank')}>
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
            {isOther && <option>{before.bank}</option>}
          </Select>
        </Field>
        <Field label={t('Last digits')} hint={t('2 to 6 digits of the account number')} error={refused['tail']}>
          <Input inputMode="numeric" required maxLength={6} {...text('tail')} />
        </Field>
        <Field label={t('Name')} hint={t('For example “Current account”')} error={refused['label']}>
          <Input required maxLength={60} autoComplete="off" {...text('label')} />
        </Field>
      </div>
      <Switch
        label={t('Top-ups come here')}
        hint={t('Match top-up requests with money in this account')}
        checked={feedsStore}
        onChange={(on) => setFields({ ...fields, feedsStore: on })}
      />
      {account && (
        <Switch
          label={t('Stop using this account')}
          hint={t('Its history stays. You can’t upload new statements')}
          checked={closed}
          onChange={(on) => setFields({ ...fields, closed: on })}
        />
      )}
    </EditDialog>
  )
}
