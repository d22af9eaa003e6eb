import { useState } from 'react'
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
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { ResetLinkSection } from './reset-link-section.tsx'
import { changedIn, draftOf, isPriceWrong, pricesOf, type PriceDraft } from './own-prices.ts'
import { useLatestUser, useSaveUser } from './user-queries.ts'
import { amountFault, changeOf } from './wallet-change.ts'
import { type WalletForm, draftOfForm, termFault, WalletPart } from './user-dialog-wallet.tsx'
import { GroupField, ProductList, PriceRows, ResellerSwitch } from './user-dialog-products.tsx'

type Part = 'wallet' | 'prices' | 'hidden' | 'login'

interface UserDialogProps extends DialogProps {
  /** The user when the dialog opened. Changes are compared with it. */
  user: AdminUser
}

/** Edits wallet, custom prices and hidden products of one user. All changes are saved together or not at all. */
export function UserDialog({ user, ...dialog }: UserDialogProps) {
  const latest = useLatestUser(user)
  const { balance } = latest
  const group = usePanel(buyerGroups).data?.find(({ _id }) => _id === latest.group?._id)
  const form = useUserForm({ user, balance, onClose: dialog.onClose })
  const { part, setPart, save, products, wallet, prices, hidden, change, isPriceChanged, isHiddenChanged, edit } = form
  return (
    <EditDialog
      {...dialog}
      size="wide"
      title={t('Edit {name}', { name: user.username })}
      description={t('{email} · Balance {amount}', { email: user.email, amount: formatRupees(balance) })}
      submitLabel={t('Save changes')}
      dirty={form.dirty}
      pending={save.isPending}
      denied={denied(calls.users.update)}
      error={save.error && failureText(save.error)}
      onSubmit={form.submit}
    >
      <Segmented
        label={t('Edit')}
        value={part}
        onChange={setPart}
        className="w-full"
        options={[
          { value: 'wallet', label: marked(t('Wallet'), change !== 0) },
          { value: 'prices', label: marked(t('Prices'), isPriceChanged) },
          { value: 'hidden', label: marked(t('Products'), isHiddenChanged) },
          { value: 'login', label: t('Password') },
        ]}
      />
      <div className="min-h-90">
        {part === 'wallet' && (
          <WalletPart
            form={wallet}
            onChange={edit(form.setWallet)}
            balance={form.balanceBefore}
            isChecked={form.isChecked}
          />
        )}
        {part === 'prices' && (
          <>
            <ResellerSwitch user={latest} />
            <GroupField user={latest} />
            <ProductList products={products}>
              {(product) => (
                <PriceRows product={product} draft={prices} group={group} onChange={edit(form.setPrices)} />
              )}
            </ProductList>
          </>
        )}
        {part === 'login' && <ResetLinkSection user={user} />}
        {part === 'hidden' && (
          <HiddenPart user={user} products={products} hidden={hidden} onChange={edit(form.setHidden)} />
        )}
      </div>
    </EditDialog>
  )
}

/** All parts of the form, and how they are saved together. */
function useUserForm({ user, balance, onClose }: Omit<UserDialogProps, 'open'> & { balance: number }) {
  const [part, setPart] = useState<Part>('wallet')
  const [wallet, setWallet] = useState<WalletForm>({
    direction: 'add',
    amount: '',
    term: String(ADJUSTMENT_EXPIRY_DEFAULT_DAYS),
    otherDays: '',
    reason: '',
  })
  const lists = useLists(user)
  const save = useSaveUser(user)
  const [isChecked, setChecked] = useState(false)
  const [balanceBefore, setBalanceBefore] = useState(balance)
  // Stops once the change is sent, because a newer balance may already contain it.
  if (save.isIdle && balance !== balanceBefore) setBalanceBefore(balance)

  const draft = draftOfForm(wallet)
  const change = toRupees(changeOf(draft))
  const dirty = (wallet.amount + wallet.reason).trim() !== '' || lists.isPriceChanged || lists.isHiddenChanged
  const wrong: Part | undefined =
    amountFault(draft, balanceBefore) || (change !== 0 && termFault(wallet))
      ? 'wallet'
      : Object.values(lists.prices).some(isPriceWrong)
        ? 'prices'
        : undefined

  const submit = () => {
    setChecked(true)
    if (wrong) {
      setPart(wrong)
      return
    }
    if (!dirty) {
      onClose()
      return
    }
    const { reason } = wallet
    save.mutate(
      (latest) => ({
        id: user._id,
        ...lists.over(latest),
        ...(change !== 0 && { balance: change, expiresInDays: draft.days ?? null, reason: reason.trim() }),
      }),
      {
        onSuccess: ({ user: saved }) => {
          toast(t('{name} saved. Balance {amount}', { name: saved.username, amount: formatRupees(saved.balance) }))
          onClose()
        },
      },
    )
  }
  const edit =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      if (save.isError) save.reset()
    }
  return { ...lists, part, setPart, wallet, setWallet, save, balanceBefore, isChecked, change, dirty, submit, edit }
}

/** Custom prices and hidden products. The store replaces each list whole. */
function useLists(user: AdminUser) {
  const [prices, setPrices] = useState<PriceDraft>(() => draftOf(user.customPrices))
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(user.hiddenProducts))
  const products = useAdminProducts()
  const changed = changedIn(prices, user.customPrices)
  const isPriceChanged = Object.keys(changed).length > 0
  const toggled = [...new Set([...hidden, ...user.hiddenProducts])].filter(
    (id) => hidden.has(id) !== user.hiddenProducts.includes(id),
  )
  const isHiddenChanged = toggled.length > 0
  return {
    prices,
    setPrices,
    hidden,
    setHidden,
    products,
    isPriceChanged,
    isHiddenChanged,
    /** What is changed here, over what another admin has changed since the dialog opened. */
    over: (latest: AdminUser) => ({
      ...(isPriceChanged &&
        products.data && { customPrices: pricesOf({ ...draftOf(latest.customPrices), ...changed }, products.data) }),
      ...(isHiddenChanged && {
        hiddenProducts: [...new Set([...latest.hiddenProducts, ...toggled])]
          .filter((id) => !toggled.includes(id) || hidden.has(id))
          .toSorted(),
      }),
    }),
  }
}

interface HiddenPartProps {
  user: AdminUser
  products: ReturnType<typeof useAdminProducts>
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
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
            hint={hidden.has(_id) ? t('Hidden') : t('Shown')}
            checked={!hidden.has(_id)}
            onChange={(isShown) => {
              const next = new Set(hidden)
              if (isShown) next.delete(_id)
              else next.add(_id)
              onChange(next)
            }}
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
