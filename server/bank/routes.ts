import type { bank } from '../../contract/bank.ts'
import type { PaymentHooks } from '../payments/hooks.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { createAccount, readAccounts, saveAccount } from './accounts.ts'
import { closeAlarm, listAlarms } from './alarms.ts'
import { creditInstead, creditTo, setAside } from './credit-unclaimed.ts'
import { importStatement, previewStatement } from './import-statement.ts'
import { listCredits } from './list-credits.ts'
import { listImports } from './list-imports.ts'
import { findConfirmed, readPaymentBank } from './payment-bank.ts'
import { saveRules, showRules } from './rules.ts'
import { explainHint, noteRival, settle } from './settle.ts'
import { takeBack } from './take-back.ts'

export const bankRoutes = (services: Services): Handlers<typeof bank> => ({
  accounts: async () => ({ accounts: await readAccounts(services.db) }),
  createAccount: (fields, call) => createAccount(services, fields, call),
  saveAccount: (fields, call) => saveAccount(services, fields, call),
  preview: (upload, call) => previewStatement(services, upload, call),
  import: (upload, call) => importStatement(services, upload, call),
  imports: (page) => listImports(services.db, page),
  credits: (search) => listCredits(services, search),
  creditTo: (input, call) => creditTo(services, input, call),
  creditInstead: (input, call) => creditInstead(services, input, call),
  setAside: (input, call) => setAside(services, input, call),
  takeBack: (input, call) => takeBack(services, input, call),
  rules: (_, { now }) => showRules(services.db, now),
  saveRules: (wanted, call) => saveRules(services, wanted, call),
  alarms: (page) => listAlarms(services.db, page),
  closeAlarm: (input, call) => closeAlarm(services.db, input, call),
})

/**
 * What the bank inbox does after requests and reviews, which know nothing of it. A failure is only logged: the job
 * does the rest within a minute.
 */
export function bankHooks(services: Services, onError: (error: unknown) => void): PaymentHooks {
  const later = (work: () => Promise<unknown>): void => {
    if (!services.ended.aborted) void work().catch((error: unknown) => services.ended.aborted || onError(error))
  }
  return {
    afterRequest: ({ utr }) => later(() => settle(services, [utr])),
    afterApproval: ({ _id, utr }) =>
      later(async () => {
        await explainHint(services, _id)
        await settle(services, [utr])
      }),
    afterRepeat: (utr, userId) => noteRival(services, utr, userId),
    bankOf: (ids) => readPaymentBank(services.db, ids),
    confirmed: () => findConfirmed(services.db),
  }
}
