import { useState } from 'react'
import * as z from 'zod/mini'
import type { Product } from '../../../contract/catalogue.ts'
import { ADJUSTMENT_EXPIRY_DEFAULT_DAYS } from '../../../contract/limits.ts'
import { toRupees } from '../../../contract/money.ts'
import { buyerGroups } from '../../../contract/panel-pages.ts'
import type { AdminUser } from '../../../contract/users.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import type { CallInput } from '../../platform/calls/use-call.ts'
import { useForm } from '../../ui/admin/forms/use-form.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { ResetLinkSection } from './reset-link-section.tsx'
import { changedIn, draftOf, isPriceWrong, pricesOf } from './own-prices.ts'
import { useLatestUser, useSaveUser } from './user-queries.ts'
import { amountFault, changeOf } from './wallet-change.ts'
import { termFault, WalletPart, walletOf } from './user-dialog-wallet.tsx'
import { GroupField, ProductList, PriceRows, ResellerSwitch } from './user-dialog-products.tsx'

type Part = 'wallet' | 'prices' | 'hidden' | 'login'

interface UserDialogProps extends DialogProps {
  /** The user when the dialog opened. Changes are compared with it. */
  user: AdminUser
}

const startOf = ({ customPrices, hiddenProducts }: AdminUser) => ({
  direction: 'add' as 'add' | 'deduct',
  amount: '',
  term: String(ADJUSTMENT_EXPIRY_DEFAULT_DAYS),
  otherDays: '',
  reason: '',
  prices: draftOf(customPrices),
  hidden: hiddenProducts,
})
type Draft = ReturnType<typeof startOf>

/** Edits wallet, custom prices and hidden products of one user. All changes are saved together or not at all. */
export function UserDialog({ user, ...dialog }: UserDialogProps) {
  const latest = useLatestUser(user)
  const { balance } = latest
  const [part, setPart] = useState<Part>('wallet')
  const group = usePanel(buyerGroups).data?.find(({ _id }) => _id === latest.group?._id)
  const products = useAdminProducts()
  const { form, save, balanceBefore } = useUserForm({ user, balance, products: products.data, ...dialog })
  const { draft, wrong } = form
  const { isMoney, priced, toggled } = changedBy(draft, user)
  const dirty = isMoney || draft.reason.trim() !== '' || priced !== undefined || toggled.length > 0
  return (
    <EditDialog
      {...form.dialog}
      size="wide"
      title={t('Edit {name}', { name: user.username })}
      description={t('{email} · Balance {amount}', { email: user.email, amount: formatRupees(balance) })}
      submitLabel={t('Save changes')}
      dirty={dirty}
      denied={denied(calls.users.update)}
      error={save.error && failureText(save.error)}
      onSubmit={() => {
        if (wrong.amount ?? wrong.otherDays) setPart('wallet')
        else if (wrong.prices) setPart('prices')
        else if (!dirty) return dialog.onClose()
        form.dialog.onSubmit()
      }}
    >
      <Segmented
        label={t('Edit')}
        value={part}
        onChange={setPart}
        className="w-full"
        options={[
          { value: 'wallet', label: marked(t('Wallet'), changeOf(draft) !== 0) },
          { value: 'prices', label: marked(t('Prices'), priced !== undefined) },
          { value: 'hidden', label: marked(t('Products'), toggled.length > 0) },
          { value: 'login', label: t('Password') },
        ]}
      />
      <div className="min-h-90">
        {part === 'wallet' && <WalletPart form={form} balance={balanceBefore} />}
        {part === 'prices' && (
          <>
            <ResellerSwitch user={latest} />
            <GroupField user={latest} />
            <ProductList products={products}>
              {(product) => (
                <PriceRows
                  product={product}
                  draft={draft.prices}
                  group={group}
                  onChange={(prices) => form.change({ prices })}
                />
              )}
            </ProductList>
          </>
        )}
        {part === 'login' && <ResetLinkSection user={user} />}
        {part === 'hidden' && (
          <HiddenPart
            user={user}
            products={products}
            hidden={draft.hidden}
            onChange={(hidden) => form.change({ hidden })}
          />
        )}
      </div>
    </EditDialog>
  )
}

interface UserForm extends UserDialogProps {
  balance: number
  products: readonly Product[] | undefined
}

/** All parts of the form, and how they are saved together. */
function useUserForm({ user, balance, products, ...dialog }: UserForm) {
  const save = useSaveUser(user)
  const [balanceBefore, setBalanceBefore] = useState(balance)
  // Stops once the change is sent, because a newer balance may already contain it.
  if (save.isIdle && balance !== balanceBefore) setBalanceBefore(balance)
  const form = useForm({
    dialog,
    start: startOf(user),
    input: z.object({}),
    save,
    send: (draft) => (latest: AdminUser) => sentOf(draft, { user, latest, products }),
    faults: (draft) => ({
      amount: amountFault(walletOf(draft), balanceBefore),
      otherDays: changeOf(draft) === 0 ? undefined : termFault(draft),
      prices: Object.values(draft.prices).some(isPriceWrong) ? 'wrong' : undefined,
    }),
    onSaved: ({ user: { username: name, balance: after } }) =>
      toast(t('{name} saved. Balance {amount}', { name, amount: formatRupees(after) })),
  })
  return { form, save, balanceBefore }
}

/** What the draft changes of the user that the dialog opened with. */
function changedBy({ amount, prices, hidden }: Draft, { customPrices, hiddenProducts }: AdminUser) {
  const priced = changedIn(prices, customPrices)
  const toggled = [...new Set([...hidden, ...hiddenProducts])].filter(
    (id) => hidden.includes(id) !== hiddenProducts.includes(id),
  )
  return {
    isMoney: amount.trim() !== '',
    priced: Object.keys(priced).length > 0 ? priced : undefined,
    toggled,
  }
}

interface Around {
  user: AdminUser
  latest: AdminUser
  products: readonly Product[] | undefined
}

/** What is changed here, over what another admin has changed since. The store replaces each list whole. */
function sentOf(draft: Draft, { user, latest, products }: Around): CallInput<'users.update'> {
  const { priced, toggled } = changedBy(draft, user)
  const { reason, days } = walletOf(draft)
  const change = toRupees(changeOf(draft))
  return {
    id: user._id,
    ...(priced && products && { customPrices: pricesOf({ ...draftOf(latest.customPrices), ...priced }, products) }),
    ...(toggled.length > 0 && {
      hiddenProducts: [...new Set([...latest.hiddenProducts, ...toggled])]
        .filter((id) => !toggled.includes(id) || draft.hidden.includes(id))
        .toSorted(),
    }),
    ...(change !== 0 && { balance: change, expiresInDays: days ?? null, reason }),
  }
}

interface HiddenPartProps {
  user: AdminUser
  products: ReturnType<typeof useAdminProducts>
  hidden: readonly string[]
  onChange: (hidden: string[]) => void
}

/** One switch for each product: on while the user sees it. */
function HiddenPart({ user, products, hidden, onChange }: HiddenPartProps) {
  return (
    <>
      <p className="mb-2 text-sm text-fg-2">{t('{name} can’t see or buy hidden products.', { name: user.username })}</p>
      <ProductList products={products}>
        {({ _id, name }) => (
          <Switch
            label={name}
            hint={hidden.includes(_id) ? t('Hidden') : t('Shown')}
            checked={!hidden.includes(_id)}
            onChange={(isShown) => onChange(isShown ? hidden.filter((id) => id !== _id) : [...hidden, _id])}
            className="py-1"
          />
        )}
      </ProductList>
    </>
  )
}

function failureText(error: Error): string {
  // The form was changed after a lost answer. The earlier version of it was saved
  if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED') {
    return t(
      'Your previous change was saved, but the reply didn’t reach you. Close this form and check the user again.',
    )
  }
  return `${t('Failed to update user.')} ${errorMessage(error)}`
}

/** Adds a dot to the name of a part with changes, because only one part is visible. */
function marked(label: string, isChanged: boolean): string {
  return isChanged ? `${label} •` : label
}
