/** Every endpoint of the store, on one page. */
import { admins } from './admins.ts'
import { backup } from './backup.ts'
import { bank } from './bank.ts'
import { bankAlerts } from './bank-alerts.ts'
import { bankPhones } from './bank-phones.ts'
import { books } from './books.ts'
import { catalogue } from './catalogue.ts'
import { claims } from './claims.ts'
import { codes } from './codes.ts'
import type { Declarations, Declared } from './endpoint.ts'
import { Nothing } from './fields.ts'
import { forecast } from './forecast.ts'
import { groups } from './groups.ts'
import { invites } from './invites.ts'
import { keys } from './keys.ts'
import { messages } from './messages.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { pictures } from './pictures.ts'
import { privacy } from './privacy.ts'
import { proofs } from './proofs.ts'
import { referrals } from './referrals.ts'
import { renewals } from './renewals.ts'
import { reports } from './reports.ts'
import { salesBook } from './sales-book.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { supply } from './supply.ts'
import { tokens } from './tokens.ts'
import { users } from './users.ts'
import { waiting } from './waiting.ts'
import { wallet } from './wallet.ts'

export const api = {
  sessions: declared({ ...sessions, ...tokens }),
  privacy: declared(privacy),
  admins: declared(admins),
  users: declared(users),
  groups: declared(groups),
  catalogue: declared(catalogue),
  pictures: declared(pictures),
  keys: declared(keys),
  orders: declared({ ...orders, ...salesBook }),
  claims: declared(claims),
  books: declared(books),
  waiting: declared(waiting),
  forecast: declared(forecast),
  wallet: declared({ ...wallet, ...codes }),
  payments: declared(payments),
  proofs: declared(proofs),
  bank: declared({ ...bank, ...bankPhones, ...bankAlerts }),
  referrals: declared({ ...referrals, ...invites }),
  renewals: declared(renewals),
  supply: declared(supply),
  messages: declared(messages),
  settings: declared(settings),
  reports: declared(reports),
  backup: declared(backup),
}
export type Api = typeof api

/** What each feature is about, for the reader of the OpenAPI document. */
export const SECTIONS: Record<keyof Api, string> = {
  sessions:
    'Logging in and out, the device lock, the account of the logged-in user, and tokens for resellers’ programs',
  privacy: 'A buyer’s data: downloading it and deleting the account',
  admins: 'Admins: their roles, passwords and two-step verification',
  users: 'Buyers as admins manage them: wallets, custom prices, hidden products',
  groups: 'Groups of buyers, who pay less than the list price',
  catalogue: 'Products, their durations and prices',
  pictures: 'The logo, the picture of shared links, and pictures of products',
  keys: 'Licence keys: stock, batches, and the keys of buyers',
  orders: 'Purchases and the sales book',
  claims: 'Reports of bad keys: replacements, refunds and recalls',
  books: 'Revenue, cost and profit, the unspent credit of buyers, and the month statement',
  waiting: 'The waiting list for out-of-stock durations',
  forecast: 'How long the stock lasts',
  wallet: 'The history of the wallet, and redeem codes',
  payments: 'Top-up requests, plans, and the list of all payments',
  proofs: 'The proof of one payment, for a bank',
  bank: 'Bank accounts, statements, the money that came, and automatic approval',
  referrals: 'Referral codes: sign-ups and rewards',
  renewals: 'Keys that the store buys again at their end',
  supply: 'Suppliers from which stock fills up automatically',
  messages: 'Messages to phones and mailboxes: channels, choices, and what was sent',
  settings: 'The name, the notice and the UPI address of the store',
  reports: 'Figures, the audit log, health, live events, and this document',
  backup: 'Backups of the store',
}

/** Method and path of each route apart, as the server and its tests go by them. */
function declared<const F extends Declarations>(feature: F): { [N in keyof F]: Declared<F[N]> } {
  const endpoints = Object.entries(feature).map(([name, { route, input = Nothing, ...rest }]) => {
    const [method, path] = route.split(' ')
    return [name, { method, path, input, ...rest }]
  })
  return Object.fromEntries(endpoints)
}
