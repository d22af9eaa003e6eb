import type { claims } from '../../contract/claims.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { answerBatch } from './answer-all.ts'
import { refundClaimed, rejectClaim, replaceClaimed } from './answer-claim.ts'
import { readClaimDetails } from './claim-details.ts'
import { exportWarranty } from './export-warranty.ts'
import { listClaims } from './list-claims.ts'
import { listOwnClaims, openClaim, withdrawClaim } from './open-claim.ts'
import { recallBatch } from './recall-batch.ts'

export const claimRoutes = (services: Services): Handlers<typeof claims> => ({
  open: (report, { user, now }) => openClaim(services, report, { userId: user.id, now }),
  mine: (_, { user }) => listOwnClaims(services.db, user.id),
  withdraw: ({ id }, { user, now }) => withdrawClaim(services, id, { userId: user.id, now }),
  list: (search) => listClaims(services.db, search),
  one: ({ id, unproven }, call) => {
    if (unproven) call.requireProof()
    return readClaimDetails(services, id, call)
  },
  replace: (given, call) => replaceClaimed(services, given, call),
  refund: (given, call) => refundClaimed(services, given, call),
  reject: (given, call) => rejectClaim(services, given, call),
  recall: (given, call) => recallBatch(services, given, call),
  answerAll: (given, call) => answerBatch(services, given, call),
  warranty: ({ id }, call) => exportWarranty(services, id, call),
})
