import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  bankAccounts,
  bankRules,
  confirmedRequests,
  creditsOn,
  openAlarms,
  unclaimedCount,
  type PanelSearch,
} from '../../../contract/panel-pages.ts'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import { useChange } from '../../platform/admin/use-change.ts'
import { usePollInterval } from '../../platform/calls/events.ts'
import { makesStale } from '../../platform/calls/queries.ts'
import { useDevices } from './phone-queries.ts'

const POLL_INTERVAL_MS = 15_000

/** The accounts that are open. */
export function useBankAccounts() {
  return useQuery({
    ...panelQuery(bankAccounts),
    select: ({ accounts }) => accounts.filter(({ closedAt }) => closedAt === null),
  })
}

/** Pending requests that the bank confirms, as many as one question can name. */
export function useConfirmed() {
  return useQuery({
    ...panelQuery(confirmedRequests),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

/** A page of the money that came to the bank. */
export function useCredits(address: PanelSearch) {
  return useQuery({
    ...panelQuery(creditsOn(address)),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

export function useUnclaimedCount() {
  return useQuery({
    ...panelQuery(unclaimedCount),
    select: ({ total }) => total,
  })
}

export function useRules() {
  return useQuery(panelQuery(bankRules))
}

/**
 * False until what the bank says over the queue is known, or has failed. A request that moved away from under a thumb
 * would leave another one there.
 */
export function useBankIsKnown(): boolean {
  const asked = [useBankAccounts(), useConfirmed(), useUnclaimedCount(), useRules(), useDevices()]
  return asked.every(({ isPending, failureCount }) => !isPending || failureCount > 0)
}

export function useOpenAlarms() {
  return useQuery({
    ...panelQuery(openAlarms),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

const CHANGED = makesStale(['bank'], ['payments'], ['reports'], ['users'])

/** A change after which the inbox and the queue are out of date. A row that goes with them still says what was done. */
export const useBankChange = <Input, Output>(change: (input: Input) => Promise<Output>) =>
  useChange(change, (answer, failure) => void CHANGED(answer, failure))
