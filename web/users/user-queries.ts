import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { USERS_PAGE_SIZE } from '../../contract/limits.ts'
import { client } from '../platform/client.ts'
import { usePollInterval } from '../platform/events.ts'

type UserChange = Parameters<typeof client.users.update>[0]

const POLL_INTERVAL_MS = 30_000
/** A user's balance is part of the figures, and their payments of the lists. */
const STALE = ['users', 'payments', 'reports']

/** A page of users, newest first. */
export function useUsers(search: string, page: number) {
  const input = { search, limit: USERS_PAGE_SIZE, skip: page * USERS_PAGE_SIZE }
  return useQuery({
    queryKey: ['users', 'list', input],
    queryFn: ({ signal }) => client.users.list(input, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
}

/** Everything that moved a user's money, newest first. */
export function useUserPayments(userId: string) {
  return useQuery({
    queryKey: ['payments', 'of-user', userId],
    queryFn: ({ signal }) => client.users.payments({ userId }, { signal }),
  })
}

export function useSaveUser() {
  const invalidate = useInvalidate()
  return useMutation({ mutationFn: (change: UserChange) => client.users.update(change), onSettled: invalidate })
}

export function useUserRemoval() {
  const invalidate = useInvalidate()
  return useMutation({ mutationFn: (id: string) => client.users.remove({ id }), onSettled: invalidate })
}

export function useDeviceUnlock() {
  const invalidate = useInvalidate()
  return useMutation({ mutationFn: (id: string) => client.users.unlockDevice({ id }), onSettled: invalidate })
}

function useInvalidate() {
  const queries = useQueryClient()
  return () => Promise.all(STALE.map((feature) => queries.invalidateQueries({ queryKey: [feature] })))
}
