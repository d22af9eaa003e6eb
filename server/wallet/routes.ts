import type { codes } from '../../contract/codes.ts'
import type { wallet } from '../../contract/wallet.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { endCodes, listBatches, makeCodes } from './code-batches.ts'
import { redeem } from './redeem-code.ts'
import { readReceipt } from './read-receipt.ts'
import { readHistory, showHistory } from './read-history.ts'

export const walletRoutes = (services: Services): Handlers<typeof wallet & typeof codes> => ({
  history: ({ limit, before }, { user, now, cached }) =>
    limit === undefined
      ? readHistory(services.db, user.id, now, { before })
      : showHistory(services.db, cached, user.id, now, { limit, before }),
  receipt: ({ id }, { user, admin }) => readReceipt(services.db, id, admin ? 'all' : user?.id),
  redeem: ({ code }, call) => redeem(services, code, call),
  codes: () => listBatches(services.db),
  makeCodes: (wanted, call) => makeCodes(services.db, wanted, call),
  endCodes: ({ id }, call) => endCodes(services.db, id, call),
})
