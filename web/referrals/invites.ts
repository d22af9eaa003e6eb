/** Inviting friends: what a buyer's own code brings, and the links that carry it. */
import type { Product } from '../../contract/catalogue.ts'
import type { OwnInvites } from '../../contract/invites.ts'
import { client } from '../platform/calls/client.ts'
import { own, t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import type { Shared } from '../ui/pictures/link-dialog.tsx'

/** It changes when a bank's statement comes, so seldom. */
const KEPT_MS = 60_000

export const ownInvites = {
  queryKey: ['referrals', 'own'],
  queryFn: ({ signal }: { signal: AbortSignal }) => client.referrals.ownInvites({}, { signal }),
  staleTime: KEPT_MS,
}

export const inviteLink = (code: string, site: string, { friendGets, minimum }: OwnInvites): Shared => ({
  path: `/signup?ref=${code}`,
  text:
    friendGets > 0
      ? t('Get {amount} at {site} with your first {minimum}. Keys in seconds, paid by UPI. Sign up here:', {
          amount: formatRupees(friendGets),
          minimum: formatRupees(minimum),
          site,
        })
      : t('Keys in seconds at {site}, paid by UPI. Sign up here:', { site }),
  title: t('Your invitation'),
  description: t('Your friend scans it and signs up. Your code {code} is filled in already.', { code }),
  qrLabel: t('QR code of your invitation'),
})

export const productLink = (product: Product, site: string, code: string | undefined): Shared => ({
  path: `/buy?${new URLSearchParams({ product: product.name, ...(code && { ref: code }) }).toString()}`,
  text: t('{name} from {site}. Your key comes in seconds, paid by UPI:', { name: own(product, 'name'), site }),
  title: t('Share this product'),
  description: own(product, 'name'),
  qrLabel: t('QR code of this product'),
})

/** What both get, and for what. */
export function termsText({ reward, friendGets, minimum: least }: OwnInvites): string {
  const [amount, minimum] = [formatRupees(reward), formatRupees(least)]
  if (reward === friendGets)
    return t('Both of you get {amount} when your friend’s first payment of {minimum} or more shows in our bank.', {
      amount,
      minimum,
    })
  if (friendGets === 0)
    return t('You get {amount} when your friend’s first payment of {minimum} or more shows in our bank.', {
      amount,
      minimum,
    })
  return t(
    'You get {amount} and your friend gets {theirs} when their first payment of {minimum} or more shows in our bank.',
    {
      amount,
      theirs: formatRupees(friendGets),
      minimum,
    },
  )
}
