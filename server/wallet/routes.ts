import type { wallet } from '../../contract/wallet.ts'
import type { Handlers } from '../platform/http.ts'
import type { Services } from '../platform/services.ts'
import { readHistory } from './read-history.ts'

export const walletRoutes = ({ db }: Services): Handlers<typeof wallet> => ({
  history: (page, { user, now }) => readHistory(db, user.id, now, page),
})
