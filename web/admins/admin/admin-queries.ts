import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../platform/admin/use-change.ts'
import { client } from '../../platform/calls/client.ts'
import { makesStale } from '../../platform/calls/queries.ts'

type AdminChange = Parameters<typeof client.admins.update>[0]
type NewAdmin = Parameters<typeof client.admins.create>[0]

/** Changes are in the audit log as well. */
const CHANGED = makesStale(['admins'], ['reports'])

/** Every admin of the store, those who were removed as well. */
export function useAdmins() {
  return useQuery({ queryKey: ['admins'], queryFn: ({ signal }) => client.admins.list({}, { signal }) })
}

export const useAdminCreation = () => useChange((admin: NewAdmin) => client.admins.create(admin), CHANGED)
export const useAdminChange = () => useChange((change: AdminChange) => client.admins.update(change), CHANGED)
