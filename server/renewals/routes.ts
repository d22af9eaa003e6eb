import type { renewals } from '../../contract/renewals.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { makeRenewal } from './make-renewal.ts'
import { listOwnRenewals, stopRenewal } from './own-renewals.ts'

export { renewalJobs } from './renew.ts'

export const renewalRoutes = ({ db }: Services): Handlers<typeof renewals> => ({
  make: (request, { user, now }) => makeRenewal(db, request, { userId: user.id, now }),
  mine: (_, { user, now }) => listOwnRenewals(db, user.id, now),
  stop: async ({ id }, { user, now }) => {
    await stopRenewal(db, id, { userId: user.id, now })
    return { message: 'It won’t renew. Nothing was taken.' }
  },
})
