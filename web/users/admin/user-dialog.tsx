import { useState } from 'react'
import { ArrowRight } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import {
  ADJUSTMENT_EXPIRY_DEFAULT_DAYS,
  ADJUSTMENT_EXPIRY_MAX_DAYS,
  REASON_LENGTH_MAX,
} from '../../../contract/limits.ts'
import { toRupees } from '../../../contract/money.ts'
import type { AdminUser } from '../../../contract/users.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { ApiError, errorMessage } from '../../platform/api-error.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { formatRupees, formatSignedRupees } from '../../platform/money.ts'
import { toast } from '../../platform/toast.ts'
import { cx } from '../../ui/cx.ts'
import { EditDialog } from '../../ui/admin/edit-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/admin/select.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/admin/switch.tsx'
import { ResetLinkSection } from './reset-link-section.tsx'
import { countChanged, draftOf, isPriceWrong, priceKey, pricesOf, type PriceDraft } from './own-prices.ts'
import { useSaveUser } from './user-queries.ts'
import { amountFault, changeOf, previewOf, type WalletDraft } from './wallet-change.ts'

const HOUR_MS = 3_600_000
const TERMS = [7, 30, ADJUSTMENT_EXPIRY_DEFAULT_DAYS, 90, 180, 365]

type Part = 'wallet' | 'prices' | 'hidden' | 'login'

interface UserDialogProps {
  open: boolean
  /** As they were when this opened: what is changed here is a change of that. */
  user: AdminUser
  /** As it is by now. */
  balance: number
  onClose: () => void
}

/** Wallet, own prices and hidden products of one user; all that was changed is saved at once, or nothing. */
export function UserDialog({ open, user, balance, onClose }: UserDialogProps) {
  const [part, setPart] = useState<Part>('wallet')
  const [wallet, setWallet] = useState<WalletForm>({
    direction: 'add',
    amount: '',
    term: String(ADJUSTMENT_EXPIRY_DEFAULT_DAYS),
    otherDays: '',
    reason: '',
  })
  const [prices, setPrices] = useState<PriceDraft>(() => draftOf(user.customPrices))
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(user.hiddenProducts))
  const products = useAdminProducts()
  const save = useSaveUser()
  const [balanceBefore, setBalanceBefore] = useState(balance)
  // Not once it is sent: the new balance comes before the save ends, or after its answer was lost, and has the change in it.
  if (save.isIdle && balance !== balanceBefore) setBalanceBefore(balance)

  const draft = draftOfForm(wallet)
  const change = toRupees(changeOf(draft))
  const priceChanges = countChanged(prices, user.customPrices)
  const isHiddenChanged = !isSame(hidden, user.hiddenProducts)
  const dirty = wallet.amount.trim() !== '' || priceChanges > 0 || isHiddenChanged
  const wrong: Part | undefined =
    amountFault(draft, balanceBefore) || (change !== 0 && termFault(wallet))
      ? 'wallet'
      : Object.values(prices).some(isPriceWrong)
        ? 'prices'
        : undefined

  const submit = () => {
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
      {
        id: user._id,
        ...(priceChanges > 0 && products.data && { customPrices: pricesOf(prices, products.data) }),
        ...(isHiddenChanged && { hiddenProducts: [...hidden] }),
        ...(change !== 0 && { balance: change, expiresInDays: draft.days ?? null, reason: reason.trim() }),
      },
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
  return (
    <EditDialog
      open={open}
      size="wide"
      title={t('Edit {name}', { name: user.username })}
      description={t('{email} · Balance {amount}', { email: user.email, amount: formatRupees(balance) })}
      submitLabel={t('Save changes')}
      dirty={dirty}
      pending={save.isPending}
      denied={denied(calls.users.update)}
      error={save.error && failureText(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segmented
        label={t('Edit')}
        value={part}
        onChange={setPart}
        className="w-full"
        options={[
          { value: 'wallet', label: marked(t('Wallet'), change !== 0) },
          { value: 'prices', label: marked(t('Prices'), priceChanges > 0) },
          { value: 'hidden', label: marked(t('Hidden'), isHiddenChanged) },
          { value: 'login', label: t('Password') },
        ]}
      />
      <div className="min-h-90">
        {part === 'wallet' && <WalletPart form={wallet} onChange={edit(setWallet)} balance={balanceBefore} />}
        {part === 'prices' && (
          <ProductList products={products}>
            {(product) => <PriceRows key={product._id} product={product} draft={prices} onChange={edit(setPrices)} />}
          </ProductList>
        )}
        {part === 'login' && <ResetLinkSection user={user} />}
        {part === 'hidden' && (
          <>
            <p className="mb-2 text-sm text-fg-2">
              {t('{name} can’t see or buy hidden products.', { name: user.username })}
            </p>
            <ProductList products={products}>
              {({ _id, name }) => (
                <Switch
                  key={_id}
                  label={name}
                  hint={hidden.has(_id) ? t('Hidden') : t('Shown')}
                  checked={!hidden.has(_id)}
                  onChange={(isShown) => {
                    const next = new Set(hidden)
                    if (isShown) next.delete(_id)
                    else next.add(_id)
                    edit(setHidden)(next)
                  }}
                  className="py-1"
                />
              )}
            </ProductList>
          </>
        )}
      </div>
    </EditDialog>
  )
}

function failureText(error: Error): string {
  // The form was changed after an answer that was lost: what it said before has been done
  if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED') {
    return t(
      'Your previous change was saved, but the reply didn’t reach you. Close this form and check the user again.',
    )
  }
  return `${t('Failed to update user.')} ${errorMessage(error)}`
}

/** The parts of which only one is seen: a dot says that another has changes. */
function marked(label: string, isChanged: boolean): string {
  return isChanged ? `${label} •` : label
}

function isSame(set: ReadonlySet<string>, list: readonly string[]): boolean {
  return set.size === new Set(list).size && list.every((id) => set.has(id))
}

interface WalletForm {
  direction: WalletDraft['direction']
  amount: string
  /** Days, 'other' or 'permanent'. */
  term: string
  otherDays: string
  reason: string
}

function draftOfForm({ direction, amount, term, otherDays }: WalletForm): WalletDraft {
  return { direction, amount, days: term === 'permanent' ? undefined : Number(term === 'other' ? otherDays : term) }
}

function termFault({ term, otherDays }: WalletForm): string | undefined {
  if (term !== 'other') return undefined
  const days = /^\d{1,4}$/.test(otherDays.trim()) ? Number(otherDays) : 0
  return days >= 1 && days <= ADJUSTMENT_EXPIRY_MAX_DAYS
    ? undefined
    : t('Enter 1 to {max} days', { max: ADJUSTMENT_EXPIRY_MAX_DAYS })
}

interface WalletPartProps {
  form: WalletForm
  onChange: (form: WalletForm) => void
  balance: number
}

function WalletPart({ form, onChange, balance }: WalletPartProps) {
  const now = useNow(HOUR_MS)
  const draft = draftOfForm(form)
  const faultOfTerm = termFault(form)
  const preview = faultOfTerm ? undefined : previewOf(draft, balance, now)
  const change = (part: Partial<WalletForm>) => onChange({ ...form, ...part })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Segmented
        label={t('Type')}
        value={form.direction}
        onChange={(direction) => change({ direction })}
        className="sm:col-span-2"
        options={[
          { value: 'add', label: t('Add money') },
          { value: 'deduct', label: t('Deduct money') },
        ]}
      />
      <Field label={t('Amount (₹)')} error={amountFault(draft, balance)}>
        <Input
          value={form.amount}
          onChange={(event) => change({ amount: event.target.value })}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          className="tabular"
        />
      </Field>
      <Field label={form.direction === 'add' ? t('Valid for') : t('Deduct for')}>
        <Select value={form.term} onChange={(event) => change({ term: event.target.value })}>
          {TERMS.map((days) => (
            <option key={days} value={days}>
              {t('{count} days', { count: days })}
            </option>
          ))}
          <option value="other">{t('Other…')}</option>
          <option value="permanent">{t('No expiry')}</option>
        </Select>
      </Field>
      {form.term === 'other' && (
        <Field
          label={t('Days')}
          error={form.otherDays === '' && form.amount === '' ? undefined : faultOfTerm}
          className="sm:col-span-2"
        >
          <Input
            value={form.otherDays}
            onChange={(event) => change({ otherDays: event.target.value })}
            inputMode="numeric"
            autoComplete="off"
          />
        </Field>
      )}
      <Field label={t('Reason')} optional hint={t('The buyer sees this in Wallet History.')} className="sm:col-span-2">
        <Input
          value={form.reason}
          onChange={(event) => change({ reason: event.target.value })}
          maxLength={REASON_LENGTH_MAX}
        />
      </Field>
      <div
        aria-live="polite"
        className="min-h-22 rounded-control border border-line bg-sunken p-3.5 text-sm sm:col-span-2"
      >
        {preview ? (
          <>
            <p className="tabular flex flex-wrap items-center gap-x-2 text-lg font-semibold">
              <span className="sr-only">{t('New balance:')}</span>
              <span className="text-fg-3">{formatRupees(preview.before)}</span>
              <ArrowRight size={16} aria-label={t('changes to')} className="text-fg-3" />
              {formatRupees(preview.after)}
              <span className={cx('text-sm', form.direction === 'add' ? 'text-ok' : 'text-fg-2')}>
                {formatSignedRupees(toRupees(changeOf(draft)))}
              </span>
            </p>
            <p className="mt-1 text-fg-2">{preview.end}</p>
          </>
        ) : (
          <p className="text-fg-3">{t('Enter an amount to see the new balance.')}</p>
        )}
      </div>
    </div>
  )
}

interface ProductListProps {
  products: ReturnType<typeof useAdminProducts>
  children: (product: Product) => React.ReactNode
}

function ProductList({ products, children }: ProductListProps) {
  const { data, error, refetch, isFetching } = products
  if (error && !data) return <ErrorState error={error} onRetry={refetch} retrying={isFetching} />
  if (!data) {
    return (
      <Loading className="grid gap-4">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-11" />
        ))}
      </Loading>
    )
  }
  if (data.length === 0) {
    return <EmptyState title={t('No products yet')} text={t('Create one in Products first.')} />
  }
  return <div className="divide-y divide-line">{data.map(children)}</div>
}

interface PriceRowsProps {
  product: Product
  draft: PriceDraft
  onChange: (draft: PriceDraft) => void
}

function PriceRows({ product, draft, onChange }: PriceRowsProps) {
  return (
    <fieldset className="py-3">
      <legend className="float-left mb-2 w-full font-medium wrap-anywhere">{product.name}</legend>
      <div className="clear-both grid gap-2">
        {product.prices.map(({ _id, duration, price = 0, listPrice = price }) => {
          const key = priceKey(product._id, duration)
          const typed = draft[key] ?? ''
          const isOwn = typed.trim() !== ''
          return (
            <div key={_id} className="grid grid-cols-[minmax(0,1fr)_8rem] items-center gap-3">
              <div className="min-w-0 text-sm">
                <p>{duration}</p>
                <p className={cx('text-xs text-fg-3', isOwn && 'line-through')}>
                  {t('List price {amount}', { amount: formatRupees(listPrice) })}
                </p>
              </div>
              <Input
                aria-label={t('Price of {product}, {duration}', { product: product.name, duration })}
                aria-invalid={isPriceWrong(typed) || undefined}
                value={typed}
                onChange={(event) => onChange({ ...draft, [key]: event.target.value })}
                inputMode="decimal"
                autoComplete="off"
                placeholder={String(listPrice)}
                className="tabular text-right"
              />
              {isPriceWrong(typed) && (
                <p role="alert" className="col-span-2 text-right text-xs text-bad">
                  {t('Enter a price from ₹0, or leave empty for the list price')}
                </p>
              )}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
