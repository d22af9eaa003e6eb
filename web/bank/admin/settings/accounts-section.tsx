import { Plus } from 'lucide-react'
import { middayOf } from '../../../../contract/india.ts'
import { formatDate } from '../../../platform/dates.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { CardError } from '../../../ui/admin/forms/settings-form.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { useBankAccounts } from '../bank-queries.ts'

const AccountDialog = lazyPart(() => import('./account-dialog.tsx').then((file) => file.AccountDialog))

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
