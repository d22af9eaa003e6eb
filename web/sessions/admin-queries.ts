import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../platform/client.ts'

type AdminChange = Parameters<typeof client.admins.update>[0]
type NewAdmin = Parameters<typeof client.admins.create>[0]

/** Every admin of the store, those who were removed as well. */
export function useAdmins() {
  return useQuery({ queryKey: ['admins'], queryFn: ({ signal }) => client.admins.list({}, { signal }) })
}

export function useAdminCreation() {
  const invalidate = useInvalidate()
  return useMutation({ mutationFn: (admin: NewAdmin) => client.admins.create(admin), onSettled: invalidate })
}

export function useAdminChange() {
  const invalidate = useInvalidate()
  return useMutation({ mutationFn: (change: AdminChange) => client.admins.update(change), onSettled: invalidate })
}

/** Changes are in the audit log as well. */
function useInvalidate() {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['admins'] }),
      queries.invalidateQueries({ queryKey: ['reports'] }),
    ])
}
