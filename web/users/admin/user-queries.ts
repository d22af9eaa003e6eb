import { useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { usersOn } from '../../../contract/panel-pages.ts'
import type { AdminUser } from '../../../contract/users.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { panelQuery, usePanel } from '../../platform/admin/panel-query.ts'
import { client } from '../../platform/calls/client.ts'
import { usePollInterval } from '../../platform/calls/events.ts'
import { queryClient } from '../../platform/calls/queries.ts'
import { randomUuid } from '../../platform/calls/random-uuid.ts'
import { useChange, type CallInput } from '../../platform/calls/use-call.ts'
import { serverNow } from '../../platform/clock.ts'
import { useSearch } from '../../platform/navigation/router.tsx'

const POLL_INTERVAL_MS = 30_000
/** Asked for again, because no event tells of other admins' changes. */
const LIVE_INTERVAL_MS = 60_000

const USER_FILTERS = ['money', 'lapsing', 'new', 'blocked'] as const
export type UserFilter = (typeof USER_FILTERS)[number]

/** The users that the address of the screen asks for. */
export function useListedUsers() {
  const list = useListSearch('/admin/user-manager')
  const filter = USER_FILTERS.find((each) => each === list.status)
  const { group } = useSearch('/admin/user-manager')
  const refetchInterval = usePollInterval(POLL_INTERVAL_MS) || LIVE_INTERVAL_MS
  const users = usePanel(usersOn({ ...list, group }, serverNow()), {
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  return { list: { ...list, group }, filter, users }
}

/** @returns the user as it is now, or as it was when last in the list */
export function useLatestUser(user: AdminUser): AdminUser {
  return useListedUsers().users.data?.users.find(({ _id }) => _id === user._id) ?? user
}

/** One key per opened form, so that a double click or a second try is one change. */
export function useSaveUser(opened: AdminUser) {
  const [idempotencyKey] = useState(randomUuid)
  const { list } = useListedUsers()
  /** @param changeOf what to send, made of the user as it is by now */
  return useChange('users', async (changeOf: (latest: AdminUser) => CallInput<'users.update'>) => {
    const asked = panelQuery(usersOn(list, serverNow()))
    const { users } = await queryClient.fetchQuery({ ...asked, staleTime: 0, retry: false })
    const latest = users.find(({ _id }) => _id === opened._id) ?? opened
    return client.users.update(changeOf(latest), { idempotencyKey })
  })
}
