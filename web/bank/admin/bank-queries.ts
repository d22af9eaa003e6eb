import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ALARMS_SHOWN, PAGE_SIZE_MAX, PAYMENTS_PAGE_SIZE } from '../../../contract/limits.ts'
import type { CreditState } from '../../../contract/bank-shapes.ts'
import { client } from '../../platform/calls/client.ts'
import { usePollInterval } from '../../platform/calls/events.ts'
import { useDevices } from './phone-queries.ts'

const POLL_INTERVAL_MS = 15_000

/** The accounts that are open. */
export function useBankAccounts() {
  return useQuery({
    queryKey: ['bank', 'accounts'],
    queryFn: ({ signal }) => client.bank.accounts({}, { signal }),
    select: ({ accounts }) => accounts.filter(({ closedAt }) => closedAt === null),
  })
}

/** Pending requests that the bank confirms, as many as one question can name. */
export function useConfirmed() {
  return useQuery({
    queryKey: ['payments', 'list', 'confirmed'],
    queryFn: ({ signal }) => client.payments.list({ bank: 'confirmed', limit: PAGE_SIZE_MAX }, { signal }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

export interface CreditSearch {
  state: CreditState | undefined
  search: string
  page: number
}

export function useCredits({ state, search, page }: CreditSearch) {
  const input = {
    search,
    limit: PAYMENTS_PAGE_SIZE,
    skip: page * PAYMENTS_PAGE_SIZE,
    ...(state && { state }),
    // A request that waits has claimed its money
    ...(state === 'unclaimed' && { claimed: false }),
  }
  return useQuery({
    queryKey: ['bank', 'credits', input],
    queryFn: ({ signal }) => client.bank.credits(input, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

export function useUnclaimedCount() {
  return useQuery({
    queryKey: ['bank', 'unclaimed-count'],
    queryFn: ({ signal }) => client.bank.credits({ state: 'unclaimed', claimed: false, limit: 1 }, { signal }),
    select: ({ total }) => total,
  })
}

export function useRules() {
  return useQuery({ queryKey: ['bank', 'rules'], queryFn: ({ signal }) => client.bank.rules({}, { signal }) })
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
    queryKey: ['bank', 'alarms'],
    queryFn: ({ signal }) => client.bank.alarms({ open: true, limit: ALARMS_SHOWN }, { signal }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

/** A change after which the inbox and the queue are out of date. */
export function useBankChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      for (const feature of ['bank', 'payments', 'reports', 'users'])
        void queries.invalidateQueries({ queryKey: [feature] })
    },
  })
}
