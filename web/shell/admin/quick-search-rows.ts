/** What the quick search finds: pages, actions and products at once, and by the store's own searches the rest. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Payment } from '../../../contract/payments.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { navigate } from '../../platform/navigation/router.tsx'
import { settingsPages } from '../../settings/admin/settings-pages.ts'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { adminLinks } from './panel-screens.ts'
import { hasWords } from '../../ui/fields/has-words.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'

/** Dialogs that it opens over any page. */
const ProductDialog = lazyPart(() =>
  import('../../catalogue/admin/product-dialog.tsx').then((file) => file.ProductDialog),
)
const KeyImportDialog = lazyPart(() =>
  import('../../keys/admin/import/key-import-dialog.tsx').then((file) => file.KeyImportDialog),
)
const ReferralDialog = lazyPart(() =>
  import('../../referrals/admin/referral-dialog.tsx').then((file) => file.ReferralDialog),
)
const PlanDialog = lazyPart(() => import('../../payments/admin/plans/plan-dialog.tsx').then((file) => file.PlanDialog))
const UploadDialog = lazyPart(() =>
  import('../../bank/admin/upload/upload-dialog.tsx').then((file) => file.UploadDialog),
)

export interface FoundRow {
  id: string
  label: string
  /** Small, at its end. */
  note?: string
  run: () => unknown
}

export interface FoundGroup {
  name: string
  rows: readonly FoundRow[]
}

const OF_EACH = 5
const TYPED_MIN = 2
/** A part of a UTR or of a phone number. Fewer digits are in too many of them. A name has none. */
const DIGITS_MIN = 4
const KEY_MIN = 4

/** @param asked what was typed, after a pause */
export function useFound(typed: string, asked: string): { groups: FoundGroup[]; isAsking: boolean; error: unknown } {
  const products = useAdminProducts().data ?? []
  const stored = useStored(asked)
  const found = typed ? (stored.data ?? []) : []
  const named = products
    .filter(({ name, nameHi }) => typed && hasWords(typed, name, nameHi))
    .slice(0, OF_EACH)
    .map(({ _id, name }) => ({
      id: `product-${_id}`,
      label: name,
      run: () => navigate({ to: '/admin/product-manager', search: { search: name } }),
    }))
  const groups = [
    { name: t('Products'), rows: named },
    ...found,
    { name: t('Pages'), rows: pages(typed) },
    { name: t('Actions'), rows: actions(typed) },
  ]
  return {
    groups: groups.filter(({ rows }) => rows.length > 0),
    isAsking: Boolean(typed) && (stored.isFetching || typed !== asked),
    error: typed ? stored.error : null,
  }
}

/** All at once, so that no row moves from under the finger when a slower answer comes. */
function useStored(asked: string) {
  return useQuery({
    queryKey: ['quick-search', asked],
    enabled: asked.length >= TYPED_MIN,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<FoundGroup[]> => {
      const digits = asked.replaceAll(/\D/g, '').length
      const [users, payments, keys] = await Promise.all([
        denied(calls.users.list) ? undefined : client.users.list({ search: asked, limit: OF_EACH }, { signal }),
        denied(calls.payments.list) || (digits > 0 && digits < DIGITS_MIN)
          ? undefined
          : client.payments.list({ search: asked, limit: OF_EACH }, { signal }),
        denied(calls.keys.list) || asked.length < KEY_MIN || /\s/.test(asked)
          ? undefined
          : client.keys.list({ search: asked, limit: OF_EACH, unproven: 'endings' }, { signal }),
      ])
      return [
        {
          name: t('Users'),
          rows: (users?.users ?? []).map(({ _id, username, email }) => ({
            id: `user-${_id}`,
            label: username,
            note: email,
            run: () => navigate({ to: '/admin/user-manager', search: { search: username } }),
          })),
        },
        { name: t('Payments'), rows: (payments?.payments ?? []).map(rowOf) },
        {
          name: t('Keys'),
          rows: (keys ?? []).map(({ _id, key, productId, duration }) => ({
            id: `key-${_id}`,
            label: key,
            note: `${productId.name} · ${duration}`,
            run: () => navigate({ to: '/admin/key-manager', search: { view: 'keys', search: asked } }),
          })),
        },
      ]
    },
  })
}

const rowOf = ({ _id, utr, amount, userId }: Payment): FoundRow => ({
  id: `payment-${_id}`,
  label: utr || formatRupees(amount),
  note: `${userId?.username ?? t('Deleted user')} · ${formatRupees(amount)}`,
  run: () => navigate({ to: '/admin/payment-manager', search: { status: 'all', search: utr || userId?.username } }),
})

/** A page is found by its address, too, which is English in every language. */
function pages(typed: string): FoundRow[] {
  return [...adminLinks(), ...settingsPages()]
    .filter(({ to, label, call }) => !(call && denied(call)) && hasWords(typed, label, to.replaceAll(/[/-]/g, ' ')))
    .map(({ to, label }) => ({ id: to, label, run: () => navigate({ to }) }))
}

function actions(typed: string): FoundRow[] {
  const all = [
    { label: t('New product'), call: calls.catalogue.create, run: () => openDialog(ProductDialog, {}) },
    { label: t('Add keys'), call: calls.keys.add, run: () => openDialog(KeyImportDialog, { wanted: {} }) },
    { label: t('New code'), call: calls.referrals.create, run: () => openDialog(ReferralDialog, {}) },
    { label: t('New plan'), call: calls.payments.createPlan, run: () => openDialog(PlanDialog, {}) },
    { label: t('Upload statement'), call: calls.bank.import, run: () => openDialog(UploadDialog, {}) },
  ]
  return all
    .filter(({ label, call }) => !denied(call) && hasWords(typed, label))
    .map(({ label, run }) => ({ id: `action-${label}`, label, run }))
}
