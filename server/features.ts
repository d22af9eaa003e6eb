/** What every feature brings to the store. A new feature adds its line to each list that it has a part in. */
import { adminNames } from './admins/admins.ts'
import { adminRoutes } from './admins/routes.ts'
import type { AuditNames } from './audit/audit-names.ts'
import { backupRoutes } from './backup/routes.ts'
import { bankJobs } from './bank/jobs.ts'
import { listOwnMoney } from './bank/credits/list-own-money.ts'
import { bankPhoneRoutes } from './bank/phone-routes.ts'
import { bankHooks, bankRoutes } from './bank/routes.ts'
import { bookJobs } from './books/close-days.ts'
import { bookRoutes } from './books/routes.ts'
import { claimNames } from './claims/claim-rows.ts'
import { listOwnClaims } from './claims/open-claim.ts'
import { claimRoutes } from './claims/routes.ts'
import { claimJobs } from './claims/tell-due.ts'
import { priceNames, productNames } from './catalogue/prices.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { listConsents } from './consents/consents.ts'
import { forecastRoutes } from './forecast/routes.ts'
import { forecastJobs } from './forecast/watch-stock.ts'
import { groupNames } from './groups/groups.ts'
import { groupRoutes } from './groups/routes.ts'
import { batchNames } from './keys/batches.ts'
import { listOwnKeys } from './keys/my-keys.ts'
import { keyRoutes } from './keys/routes.ts'
import { readOwnMessages } from './messages/own-messages.ts'
import { ownerJobs } from './messages/tell-owner.ts'
import { messageRoutes } from './messages/routes.ts'
import type { Reach } from './messages/channels/reach.ts'
import { listOwnPurchases, orderNames } from './orders/list-purchases.ts'
import { orderRoutes } from './orders/routes.ts'
import { wishJobs } from './orders/settle-wishes.ts'
import type { AllHandlers } from './page-queries.ts'
import { planNames } from './payments/plans.ts'
import { paymentRoutes } from './payments/routes.ts'
import { requestNames } from './payments/payment-rows.ts'
import { listOwnTopUps } from './payments/own-top-ups.ts'
import { pictureRoutes } from './pictures/routes.ts'
import type { Job } from './platform/jobs.ts'
import type { Services } from './platform/services.ts'
import type { OwnData } from './privacy/my-data.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { proofRoutes } from './proofs/routes.ts'
import { listOwnInvites } from './referrals/invites/own-invites.ts'
import { inviteJobs } from './referrals/invites/pay.ts'
import { inviteRoutes } from './referrals/invites/routes.ts'
import { referralNames } from './referrals/referral-codes.ts'
import { referralRoutes } from './referrals/routes.ts'
import { listOwnRenewals } from './renewals/own-renewals.ts'
import { renewalJobs, renewalRoutes } from './renewals/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { mailboxJobs } from './sessions/note-mailboxes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { supplyRoutes } from './supply/routes.ts'
import { startSupply } from './supply/worker.ts'
import { gradeJobs } from './users/grade-buyers.ts'
import { listLogins, readDeviceLock } from './users/access/own-logins.ts'
import { listKeptTokens } from './users/access/tokens.ts'
import { userNames } from './users/access/accounts.ts'
import { userRoutes } from './users/routes.ts'
import { readOwnAccount } from './users/user-rows.ts'
import { listOwnPlaces } from './waiting/places.ts'
import { stockHooks, waitingJobs, waitingRoutes } from './waiting/routes.ts'
import { readHistory } from './wallet/read-history.ts'
import { walletRoutes } from './wallet/routes.ts'

/** The answers to each feature's calls. */
export function handlersOf(services: Services, reach: Reach, noticesNow: Parameters<typeof reportRoutes>[1]) {
  return {
    sessions: sessionRoutes(services),
    privacy: privacyRoutes(services, OWN_DATA),
    admins: adminRoutes(services),
    users: userRoutes(services),
    groups: groupRoutes(services),
    catalogue: catalogueRoutes(services),
    pictures: pictureRoutes(services),
    keys: keyRoutes(services, stockHooks(services)),
    orders: orderRoutes(services),
    claims: claimRoutes(services),
    books: bookRoutes(services),
    waiting: waitingRoutes(services),
    forecast: forecastRoutes(services),
    wallet: walletRoutes(services),
    payments: paymentRoutes(services, bankHooks(services)),
    proofs: proofRoutes(services, reach.publicOrigin),
    bank: { ...bankRoutes(services), ...bankPhoneRoutes(services, reach.publicOrigin) },
    referrals: { ...referralRoutes(services), ...inviteRoutes(services) },
    renewals: renewalRoutes(services),
    supply: supplyRoutes(services, reach, stockHooks(services)),
    messages: messageRoutes(services, reach),
    settings: settingsRoutes(services),
    reports: reportRoutes(services, noticesNow, AUDIT_NAMES),
    backup: backupRoutes(services),
  } satisfies AllHandlers
}

/** What features do by the clock. `operations/jobs.ts` has what the whole store does. */
export const featureJobs = (services: Services): Job[] => JOBS.flatMap((jobsOf) => jobsOf(services))

const JOBS = [
  bankJobs,
  waitingJobs,
  forecastJobs,
  claimJobs,
  bookJobs,
  ownerJobs,
  wishJobs,
  renewalJobs,
  inviteJobs,
  mailboxJobs,
  gradeJobs,
]

/** Buys from suppliers until the store ends. */
export const buySupplies = (
  services: Services,
  { outbound }: Reach,
  onError: (error: unknown) => void,
): Promise<void> => startSupply({ ...services, outbound, hooks: stockHooks(services) }, onError)

/** What features keep about a buyer. */
const OWN_DATA: OwnData = {
  account: ({ db }, userId, now) => readOwnAccount(db, userId, now),
  deviceLockedAt: ({ db }, userId) => readDeviceLock(db, userId),
  consents: ({ db }, userId) => listConsents(db, userId),
  sessions: ({ db }, userId) => listLogins(db, userId),
  tokens: ({ db }, userId) => listKeptTokens(db, userId),
  topUps: ({ db }, userId) => listOwnTopUps(db, userId),
  bankMoney: listOwnMoney,
  purchases: ({ db }, userId) => listOwnPurchases(db, userId),
  keys: listOwnKeys,
  claims: ({ db }, userId) => listOwnClaims(db, userId),
  waiting: ({ db }, userId, now) => listOwnPlaces(db, userId, now),
  renewals: ({ db }, userId, now) => listOwnRenewals(db, userId, now, 'all'),
  invites: ({ db }, userId) => listOwnInvites(db, userId),
  history: ({ db }, userId, now) => readHistory(db, userId, now, {}),
  messages: ({ db, sealer }, userId) => readOwnMessages(db, sealer, userId),
}

/** How the audit log names the ids of features. */
const AUDIT_NAMES: AuditNames = {
  user: userNames,
  admin: adminNames,
  product: productNames,
  price: priceNames,
  referral: referralNames,
  plan: planNames,
  request: requestNames,
  order: orderNames,
  batch: batchNames,
  claim: claimNames,
  group: groupNames,
}
