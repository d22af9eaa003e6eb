import {
  bankAccounts,
  bankDevices,
  bankRules,
  confirmedRequests,
  creditCount,
  openAlarms,
  unclaimedCount,
} from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { usePollInterval } from '../../platform/calls/events.ts'
import { renew } from '../../platform/calls/use-call.ts'

export const BANK_POLL_MS = 15_000
/** While the owner looks at the phone. */
const SETUP_POLL_MS = 3_000

/** The accounts that are open. */
export const useBankAccounts = () =>
  usePanel(bankAccounts, { select: ({ accounts }) => accounts.filter(({ closedAt }) => closedAt === null) })

/** Pending requests that the bank confirms, as many as one question can name. */
export const useConfirmed = () => usePanel(confirmedRequests, { pollMs: BANK_POLL_MS })

export const useUnclaimedCount = () => usePanel(unclaimedCount, { select: ({ total }) => total })

/** False before the first payment of a statement or an alert. @returns undefined while it isn't known */
export const useHasMoney = () => usePanel(creditCount, { select: ({ total }) => total > 0 }).data

/** Phones that are connected, newest first. */
export function useDevices(isSettingUp = false) {
  const usual = usePollInterval(BANK_POLL_MS)
  return usePanel(bankDevices, {
    select: ({ devices }) => devices.filter(({ endedAt }) => endedAt === null),
    refetchInterval: isSettingUp ? SETUP_POLL_MS : usual,
  })
}

/**
 * False until what the bank says over the queue is known, or has failed. A request that moved away from under a thumb
 * would leave another one there.
 */
export function useBankIsKnown(): boolean {
  const asked = [useBankAccounts(), useConfirmed(), useUnclaimedCount(), usePanel(bankRules), useDevices()]
  return asked.every(({ isPending, failureCount }) => !isPending || failureCount > 0)
}

export const useOpenAlarms = () => usePanel(openAlarms, { pollMs: BANK_POLL_MS })

/** For a change of the inbox or the queue. It does not wait, because a row that goes still says what was done. */
export const AT_ONCE = { onSettled: () => void renew('bank') }
