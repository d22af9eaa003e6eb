import { api } from '../../contract/api.ts'
import type { bank } from '../../contract/bank.ts'
import type { bankAlerts } from '../../contract/bank-alerts.ts'
import { mayCall } from '../../contract/endpoint.ts'
import type { PaymentHooks } from '../payments/hooks.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { listHeard } from './inbox/heard.ts'
import { listAlerts } from './inbox/list-alerts.ts'
import { learnForm, listForms } from './inbox/learned-forms.ts'
import { addSender, endSender, listSenders } from './inbox/senders.ts'
import { createAccount, readAccounts, saveAccount } from './credits/accounts.ts'
import { closeAlarm, listAlarms } from './credits/alarms.ts'
import { creditInstead, creditTo, setAside } from './credits/credit-unclaimed.ts'
import { importStatement } from './imports/import-statement.ts'
import { previewStatement } from './imports/preview-statement.ts'
import { listCredits } from './credits/list-credits.ts'
import { listImports } from './imports/list-imports.ts'
import { readChecked } from './matching/checked-on-arrival.ts'
import { findConfirmed, readPaymentBank } from './matching/payment-bank.ts'
import { saveRules, showRules } from './matching/rules.ts'
import { noteRival } from './matching/rivals.ts'
import { takeBack } from './credits/take-back.ts'

export const bankRoutes = (services: Services): Handlers<typeof bank & typeof bankAlerts> => ({
  accounts: async () => ({ accounts: await readAccounts(services.db) }),
  createAccount: (fields, call) => createAccount(services, fields, call),
  saveAccount: (fields, call) => saveAccount(services, fields, call),
  preview: (upload, call) => previewStatement(services, upload, call),
  import: (upload, call) => importStatement(services, upload, call),
  imports: (page) => listImports(services.db, page),
  credits: (search, { admin }) => listCredits(services, search, mayCall(api.bank.creditTo, admin.role)),
  creditTo: (input, call) => creditTo(services, input, call),
  creditInstead: (input, call) => creditInstead(services, input, call),
  setAside: (input, call) => setAside(services, input, call),
  takeBack: (input, call) => takeBack(services, input, call),
  rules: (_, { now }) => showRules(services.db, now),
  saveRules: (wanted, call) => saveRules(services, wanted, call),
  alarms: (page) => listAlarms(services.db, page),
  closeAlarm: (input, call) => closeAlarm(services.db, input, call),
  heard: (input, { now }) => listHeard(services, input, now),
  unread: (search) => listAlerts(services, search),
  senders: () => listSenders(services.db),
  addSender: (input, call) => addSender(services, input, call),
  endSender: (input, call) => endSender(services, input, call),
  forms: () => listForms(services.db, services.sealer),
  learnForm: (input, call) => learnForm(services, input, call),
})

/** What requests and reviews ask of the bank's inbox. */
export const bankHooks = (services: Services): PaymentHooks => ({
  afterRepeat: (utr, userId) => noteRival(services, utr, userId),
  bankOf: (ids, tx) => readPaymentBank(tx ?? services.db, ids),
  checkedOf: (userId, now) => readChecked(services.db, userId, now),
  confirmed: async () => (await findConfirmed(services.db)).map(({ request }) => request.id),
})
