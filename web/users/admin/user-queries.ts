import { useState } from 'react'
import { keepPreviousData, useMutation, useMutationState, useQuery } from '@tanstack/react-query'
import { usersOn, type PanelSearch } from '../../../contract/panel-pages.ts'
import type { AdminUser } from '../../../contract/users.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { useChange } from '../../platform/admin/use-change.ts'
import { client } from '../../platform/calls/client.ts'
import { serverNow } from '../../platform/clock.ts'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import { usePollInterval } from '../../platform/calls/events.ts'
import { randomUuid } from '../../platform/calls/random-uuid.ts'
import { makesStale, queryClient } from '../../platform/calls/queries.ts'

type UserChange = Parameters<typeof client.users.update>[0]

export const USER_KEYS_PAGE_SIZE = 20
const POLL_INTERVAL_MS = 30_000
/** No event tells of what other admins change. */
const LIVE_INTERVAL_MS = 60_000
/** A user's balance is part of the figures, and their payments of the lists. */
const CHANGED = makesStale(['users'], ['payments'], ['reports'])

const USER_FILTERS = ['money', 'lapsing', 'new', 'blocked'] as const
export type UserFilter = (typeof USER_FILTERS)[number]

/** The users that the address of the screen asks for. */
export function useListedUsers() {
  const list = useListSearch('/admin/user-manager')
  const filter = USER_FILTERS.find((each) => each === list.status)
  return { list, filter, users: useUsers(list) }
}

/** @returns the user as it is now, or as it was when last in the list */
export function useLatestUser(user: AdminUser): AdminUser {
  return useListedUsers().users.data?.users.find(({ _id }) => _id === user._id) ?? user
}

/** A page of users. */
function useUsers(address: PanelSearch) {
  return useQuery({
    ...panelQuery(usersOn(address, serverNow())),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS) || LIVE_INTERVAL_MS,
  })
}

/** Everything that moved a user's money, newest first. */
export function useUserPayments(userId: string) {
  return useQuery({
    queryKey: ['payments', 'of-user', userId],
    queryFn: ({ signal }) => client.users.payments({ userId }, { signal }),
  })
}

/** One key per opened form, so that a double click or a second try is one change. */
export function useSaveUser(opened: AdminUser) {
  const [idempotencyKey] = useState(randomUuid)
  const { list } = useListedUsers()
  return useMutation({
    /** @param changeOf what to send, made of the user as it is by now */
    async mutationFn(changeOf: (latest: AdminUser) => UserChange) {
      const asked = panelQuery(usersOn(list, serverNow()))
      const { users } = await queryClient.fetchQuery({ ...asked, staleTime: 0, retry: false })
      const latest = users.find(({ _id }) => _id === opened._id) ?? opened
      return client.users.update(changeOf(latest), { idempotencyKey })
    },
    onSettled: CHANGED,
  })
}

/** Loads the devices where a user is logged in. */
export function useUserSessions(id: string) {
  return useQuery({
    queryKey: ['users', 'sessions', id],
    queryFn: async ({ signal }) => (await client.users.sessions({ id }, { signal })).sessions,
  })
}

/**
 * A call about users that may be made several times at once.
 * @returns the call, and the inputs of all that are under way, because a mutation alone knows only its latest
 */
function useEach<Input>(name: string, send: (input: Input) => Promise<unknown>) {
  const mutationKey = ['users', name]
  const { mutateAsync } = useMutation({ mutationKey, mutationFn: (input: Input) => send(input), onSettled: CHANGED })
  const underWay = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Input,
  })
  return [mutateAsync, underWay] as const
}

export const useSessionEnd = () =>
  useEach('end-session', (session: { id: string; sessionId: string }) => client.users.endSession(session))

/** Lets users in again. */
export const useUnblock = () => useEach('unblock', (id: string) => client.users.unblock({ id }))

export const useDeviceUnlock = () => useEach('unlock-device', (id: string) => client.users.unlockDevice({ id }))

/** Loads the keys that a user has bought, newest first. */
export function useUserKeys(id: string, page: number) {
  const input = { id, limit: USER_KEYS_PAGE_SIZE, skip: page * USER_KEYS_PAGE_SIZE }
  return useQuery({
    queryKey: ['users', 'keys', input],
    queryFn: ({ signal }) => client.users.keys(input, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Keeps a user out, for a reason. */
export const useBlock = (id: string) => useChange((reason: string) => client.users.block({ id, reason }), CHANGED)

export const useUserRemoval = () => useChange((id: string) => client.users.remove({ id }), CHANGED)
