import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../platform/calls/api-error.ts'
import { client } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { toast } from '../platform/navigation/toast.ts'

/** Returns the plans on offer, smallest first. */
export function useActivePlans() {
  return useQuery({
    queryKey: ['payments', 'plans', 'active'],
    queryFn: async ({ signal }) => {
      try {
        return await client.payments.activePlans({}, { signal })
      } catch (error) {
        // The session also sees this answer and leads to /login. This message explains why until then.
        if (error instanceof ApiError && error.status === 401) {
          toast(t('You must be logged in to view top-up plans'), { tone: 'bad' })
        }
        throw error
      }
    },
  })
}
