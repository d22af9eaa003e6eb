import type { bank } from '../../contract/bank.ts'
import type { PaymentHooks } from '../payments/hooks.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { createAccount, hasAccounts, readAccounts, saveAccount } from './credits/accounts.ts'
import { closeAlarm, listAlarms } from './credits/alarms.ts'
import { creditInstead, creditTo, setAside } from './credits/credit-unclaimed.ts'
import { importStatement, previewStatement } from './imports/import-statement.ts'
import { listCredits } from './credits/list-credits.ts'
import { listImports } from './imports/list-imports.ts'
import { findConfirmed, readPaymentBank } from './matching/payment-bank.ts'
import { saveRules, showRules } from './matching/rules.ts'
import { explainHints, noteRival, settle } from './matching/settle.ts'
import { takeBack } from './credits/take-back.ts'

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

const GATHER_MS = 40

/**
 * What the bank inbox does after requests and reviews, which know nothing of it. It looks once at all that came within
 * a moment, and not at all while the store has no bank account. A failure is only logged: the job does the rest within
 * a minute.
 */
export function bankHooks(services: Services, onError: (error: unknown) => void): PaymentHooks {
  const { db, ended } = services
  let waiting: { utr: string; approvedId?: string }[] = []
  const look = async () => {
    const some = waiting
    waiting = []
    if (ended.aborted || !(await hasAccounts(db))) return
    await explainHints(
      services,
      some.flatMap(({ approvedId }) => approvedId ?? []),
    )
    await settle(
      services,
      some.map(({ utr }) => utr),
    )
  }
  const lookSoon = (one: (typeof waiting)[number]): void => {
    if (waiting.push(one) > 1) return
    setTimeout(() => void look().catch((error: unknown) => ended.aborted || onError(error)), GATHER_MS).unref()
  }
  return {
    afterRequest: ({ utr }) => lookSoon({ utr }),
    afterApproval: ({ _id, utr }) => lookSoon({ utr, approvedId: _id }),
    afterRepeat: (utr, userId) => noteRival(services, utr, userId),
    bankOf: (ids, tx) => readPaymentBank(tx ?? services.db, ids),
    confirmed: () => findConfirmed(services.db),
  }
}
