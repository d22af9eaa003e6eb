/** Says that the balance has changed. A payment that buys a key shows the key instead (arrived-keys.ts). */
import { BALANCE_NOTIFICATION_MS } from '../../contract/limits.ts'
import type { OwnTopUp } from '../../contract/payments.ts'
import { client } from '../platform/calls/client.ts'
import { queryClient } from '../platform/calls/queries.ts'
import { serverNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { toast } from '../platform/navigation/toast.ts'
import { getSession, refreshSession } from '../platform/session/session.ts'

const ASK_AGAIN_MS = 500
const TRIES = 20
/** A purchase follows its approval within this time, in ms. */
const PAIR_MS = 60_000

const told = new Set<string>()
/** The balance, in rupees, up to which all was said. */
let said: { userId: string; balance: number } | undefined
let isAtWork = false

/**
 * @param from the balance of this buyer, in rupees, before it changed. Changes in the meantime are said together
 * @param isShown true if the page shows what this buyer is spending
 */
export async function tellBalance(userId: string, from: number, isShown: boolean): Promise<void> {
  if (isAtWork) return
  isAtWork = true
  try {
    const bought = await boughtNow()
    // The session may be from between the credit and the purchase
    if (bought) await refreshSession()
    const { user } = getSession()
    if (user?.id !== userId) return
    const base = said?.userId === userId ? said.balance : from
    said = { userId, balance: user.balance }
    if (bought) sayBought(bought)
    else sayChange(Math.round((user.balance - base) * 100) / 100, isShown)
  } finally {
    isAtWork = false
  }
}

function sayBought({ _id, then }: OwnTopUp): void {
  told.add(_id)
  // These pages show the key itself
  if (/^\/(buy|my-key)$/.test(location.pathname)) return
  toast(t('{count, plural, one {Your key is} other {Your # keys are}} in My Key', { count: then?.quantity ?? 1 }))
}

/** @returns the payment that has just bought something, once that is settled */
async function boughtNow(): Promise<OwnTopUp | undefined> {
  const key = ['payments', 'mine']
  const known = queryClient.getQueryData<OwnTopUp[]>(key)
  if (known && !known.some(({ then, _id }) => then && then.state !== 'ended' && !told.has(_id))) return undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const requests = await queryClient
      .fetchQuery({ queryKey: key, queryFn: ({ signal }) => client.payments.mine({}, { signal }), staleTime: 0 })
      .catch(() => [])
    const request = requests.find(
      ({ then, decidedAt, _id }) =>
        then && !told.has(_id) && decidedAt !== null && serverNow() - Date.parse(decidedAt) < PAIR_MS,
    )
    if (request?.then?.state === 'bought') return request
    if (request?.then?.state !== 'waiting') return undefined
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
  return undefined
}

function sayChange(change: number, isShown: boolean): void {
  if (change === 0 || (change < 0 && isShown)) return
  const amount = formatRupees(Math.abs(change))
  const isMore = change > 0
  toast(isMore ? t('Balance increased by {amount}', { amount }) : t('Balance decreased by {amount}', { amount }), {
    tone: isMore ? 'ok' : 'info',
    durationMs: BALANCE_NOTIFICATION_MS,
  })
}
