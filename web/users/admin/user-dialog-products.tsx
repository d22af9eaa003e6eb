import type { Product } from '../../../contract/catalogue.ts'
import type { BuyerGroup } from '../../../contract/groups.ts'
import { buyerGroups } from '../../../contract/panel-pages.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import type { AdminUser } from '../../../contract/users.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { TypedPrices } from '../../catalogue/admin/terms/typed-prices.tsx'
import { groupPriceOf } from '../../groups/admin/group-form.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { agoText } from '../../platform/ago.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { Select } from '../../ui/admin/forms/select.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { confirm } from '../../ui/overlays/confirm.ts'
import { isPriceWrong, priceKey, type PriceDraft } from './own-prices.ts'
import { Rows } from './user-panel-rows.tsx'

interface ProductListProps {
  products: ReturnType<typeof useAdminProducts>
  children: (product: Product) => React.ReactNode
}

export function ProductList({ products, children }: ProductListProps) {
  return (
    <Rows
      query={products}
      empty={<EmptyState title={t('No products yet')} text={t('Create one in Products first.')} />}
    >
      {(product) => <li key={product._id}>{children(product)}</li>}
    </Rows>
  )
}

interface ResellerProps {
  user: AdminUser
}

/** Lets a buyer make tokens, at once, and ends all that were made. */
export function ResellerSwitch({ user: { _id: id, username: name, reseller } }: ResellerProps) {
  const now = useNow(MINUTE_MS)
  const set = useCall('users.setReseller', { onError: toastError })
  const may = denied(calls.users.setReseller)
  const end = async () => {
    const isSure = await confirm({
      title: t('End all tokens of {name}?', { name }),
      body: t('Programs of {name} stop right away. {name} can make new tokens.', { name }),
      confirmLabel: t('End all tokens'),
      danger: true,
    })
    if (isSure) void set.mutateAsync({ id, on: true, endTokens: true }).then(() => toast(t('Tokens ended')), ignore)
  }
  return (
    <div className="mb-2 rounded-control border border-line bg-sunken px-3.5 py-2">
      <Switch
        label={t('Reseller')}
        hint={t('May buy with programs, at the prices you set here.')}
        checked={reseller !== undefined}
        disabled={set.isPending}
        denied={may}
        onChange={(on) => void set.mutateAsync({ id, on }).then(() => toast(resellerWords(name, on)), ignore)}
      />
      {reseller && (
        <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-fg-2">
          <span>
            {reseller.tokens === 0
              ? t('No tokens')
              : t('{count, plural, one {# token} other {# tokens}}', { count: reseller.tokens })}
            {' · '}
            {reseller.lastUsedAt ? t('Used {ago}', { ago: agoText(reseller.lastUsedAt, now) }) : t('Never used')}
          </span>
          {reseller.tokens > 0 && (
            <Button variant="secondary" size="sm" pending={set.isPending} denied={may} onClick={() => void end()}>
              {t('End all tokens')}
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

/** `onError` has shown it. */
const ignore = () => {}

const resellerWords = (name: string, on: boolean) =>
  on ? t('{name} may buy with programs', { name }) : t('{name} may no longer buy with programs', { name })

const BY_SPEND = 'spend'

/** The group whose prices a buyer has, changed at once. Nothing in a store without groups. */
export function GroupField({ user: { _id: id, username: name, group, groupBy } }: { user: AdminUser }) {
  const groups = usePanel(buyerGroups)
  const set = useCall('users.setGroup', { onError: toastError })
  const may = denied(calls.users.setGroup)
  const all = groups.data ?? []
  if (all.length === 0) return null
  const isBySpend = groupBy === 'spend'
  const mayBeBySpend = all.some(({ fromSpent }) => fromSpent !== null) || (isBySpend && group)
  const choose = (chosen: string) =>
    void set
      .mutateAsync({ id, ...(chosen === BY_SPEND ? { groupId: null, bySpend: true } : { groupId: chosen || null }) })
      .then(
        (user) =>
          toast(
            user.group
              ? t('{name} is in {group}', { name, group: user.group.name })
              : t('{name} is in no group', { name }),
          ),
        ignore,
      )
  return (
    <Field label={t('Buyer group')} hint={may ?? t('Custom prices below come first.')} className="mb-2">
      <Select
        value={isBySpend && mayBeBySpend ? BY_SPEND : (group?._id ?? '')}
        disabled={set.isPending || may !== undefined}
        onChange={({ target }) => choose(target.value)}
      >
        {mayBeBySpend && (
          <option value={BY_SPEND}>
            {isBySpend ? t('{group}, by spend', { group: group?.name ?? t('None') }) : t('By spend')}
          </option>
        )}
        <option value="">{t('None')}</option>
        {all.map((each) => (
          <option key={each._id} value={each._id}>
            {each.name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface PriceRowsProps {
  product: Product
  draft: PriceDraft
  /** The group of the user. */
  group: BuyerGroup | undefined
  onChange: (draft: PriceDraft) => void
}

type Row = Product['prices'][number]

const listOf = ({ price = 0, listPrice = price }: Row) => listPrice

export function PriceRows({ product, draft, group, onChange }: PriceRowsProps) {
  const keyOf = ({ duration }: Row) => priceKey(product._id, duration)
  const typedOf = (row: Row) => draft[keyOf(row)] ?? ''
  const inGroup = (row: Row) => group && groupPriceOf(group, row)
  const noteOf = (row: Row) => {
    const ofGroup = inGroup(row)
    const parts = [
      t('List price {amount}', { amount: formatRupees(listOf(row)) }),
      ...(group && ofGroup !== undefined ? [`${group.name} ${formatRupees(ofGroup)}`] : []),
    ]
    return <span className={cx(typedOf(row).trim() !== '' && 'line-through')}>{parts.join(' · ')}</span>
  }
  return (
    <TypedPrices
      product={product}
      typedOf={typedOf}
      onType={(row, typed) => onChange({ ...draft, [keyOf(row)]: typed })}
      placeholderOf={(row) => String(inGroup(row) ?? listOf(row))}
      noteOf={noteOf}
      isWrong={isPriceWrong}
      fault={
        group
          ? t('Enter a price from ₹0, or leave empty for the price of the group')
          : t('Enter a price from ₹0, or leave empty for the list price')
      }
    />
  )
}
