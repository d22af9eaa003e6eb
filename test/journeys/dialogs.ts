/** Every dialog of the store: where its title stands in the sources, and how a person opens it in the demo. */
import type { BankForm } from '../../contract/bank-alerts.ts'
import type { BankDevice } from '../../contract/bank-phones.ts'
import type { Inviter } from '../../contract/invites.ts'
import { fill, goto, press, see, type Tab } from './tab.ts'

/** The values, by their names in {braces}. */
export type Names = Record<
  'buyer' | 'other' | 'password' | 'given' | 'admin' | 'newcomer' | 'key' | 'product' | 'utr',
  string
>

/** Calls that change something behind the page's back. */
interface Behind {
  /** Somebody else edits the product that the page has open. */
  editProduct(): Promise<unknown>
  /** The buyer's session is ended by a login elsewhere. */
  endSession(): Promise<unknown>
}

export interface Given {
  tab: Tab
  url: string
  names: Names
  behind: Behind
}

/** A press on what is called so (… at its end: begins so), a text for a field, a look, or something else. */
export type Step =
  | string
  | readonly [field: string, text: string]
  | { sees: string }
  | ((given: Given) => Promise<unknown>)

export interface Screen {
  path: string
  /** Each begins at the screen with nothing over it. */
  ways: readonly (readonly Step[])[]
}

/** @param where its file in web/, and its title there, in which {…} is any text */
const sees = (where: string): Step => ({ sees: where })

const tick =
  (name: string) =>
  ({ tab, names }: Given) =>
    press(tab, 'field', withNames(name, names))

/** Waits for what the page has to ask for first. */
const once =
  (words: string) =>
  ({ tab }: Given) =>
    see(tab, words)

/** From here on calls of this address are answered so; without an answer the line is dead. */
const answered =
  (address: string, answer?: string) =>
  ({ tab }: Given) =>
    tab.run(
      (wanted, text) => {
        const { fetch } = window
        window.fetch = (input, init) => {
          const asked = input instanceof Request ? input.url : String(input)
          if (!asked.includes(wanted)) return fetch(input, init)
          if (text === null) return Promise.reject(new TypeError('The line is dead'))
          return Promise.resolve(new Response(text, { headers: { 'content-type': 'application/json' } }))
        }
      },
      address,
      answer ?? null,
    )

/** Another app has shared a statement, as the service worker keeps it. */
const shared =
  (fileName: string) =>
  async ({ tab, url }: Given) => {
    await tab.run((name) => {
      void caches.open('shared-statement').then((kept) => {
        const headers = { date: new Date().toUTCString(), 'file-name': encodeURIComponent(name) }
        return kept.put('/shared-statement', new Response('Date,Amount', { headers }))
      })
    }, fileName)
    await goto(tab, `${url}/admin/payment-manager?shared=file`)
  }

const PROVEN_WORDING: BankForm = {
  _id: '0190a000-0000-7000-8000-00000000000e',
  bank: 'HDFC',
  text: 'Money came: {sum}, reference {ref}',
  seen: 12,
  proven: 10,
  contradicted: 0,
  seenAt: '2026-11-20T04:30:00.000Z',
  mayLearn: true,
  learnedAt: null,
  endedAt: null,
  examples: [{ amount: 411, day: '2026-11-19', ref: '1877' }],
}

export const CONNECTED_PHONE: BankDevice = {
  _id: '0190a000-0000-7000-8000-00000000000d',
  name: 'Counter',
  accounts: [],
  createdAt: '2026-11-20T04:30:00.000Z',
  lastSeenAt: null,
  reachedAt: null,
  smsAt: null,
  bankAt: null,
  pausedAt: null,
  pausedWhy: null,
  endedAt: null,
  unknownSenders: [],
}

const INVITER: Inviter = {
  userId: '0190a000-0000-7000-8000-00000000000c',
  username: 'asha',
  joined: 2,
  counted: 1,
  notCounted: { payer: 0, phone: 1, device: 0, name: 0, 'no-payer': 0, account: 0, late: 0 },
  earned: 25,
  lost: 0,
  paused: false,
}

export const VISITOR: readonly Screen[] = [
  {
    path: '/login',
    ways: [
      [
        ['Username', '{other}'],
        ['Password', '{password}'],
        'Reset Device Lock',
        sees('sessions/use-login.ts: Reset the device lock for {username}?'),
      ],
    ],
  },
]

/** Dialogs of a buyer who has money for one key, and an order. */
export const BUYER: readonly Screen[] = [
  {
    path: '/',
    ways: [
      ['Menu', sees('shell/store/store-menu.tsx: Menu')],
      ['Add Money', once('Submit request'), sees('payments/add-money/add-money.tsx: Add Money')],
    ],
  },
  {
    path: '/buy?product=Hexfall+Tactics',
    ways: [
      ['Buy it for me', sees('waiting/auto-buy-dialog.tsx: Buy it for me')],
      [tick('Product'), sees('orders/order-fields.tsx: {Combobox}')],
    ],
  },
  {
    path: '/buy?product=Paper+Kingdoms',
    ways: [
      [
        answered('/keys/buy'),
        'Buy with Wallet',
        'Stop waiting',
        sees('orders/open-order-note.tsx: Stop waiting for this order?'),
      ],
    ],
  },
  {
    path: '/my-key',
    ways: [
      [
        'Problem with this key?',
        sees('claims/report-dialog.tsx: Problem with this key?'),
        tick('Never worked'),
        'Send',
        'Withdraw',
        sees('claims/key-claims.tsx: Withdraw report {number}?'),
      ],
      ['Renew: …', 'Change', sees('renewals/change-renewal.tsx: Renewal')],
    ],
  },
  {
    path: '/account#api',
    ways: [
      [
        'New token',
        sees('sessions/account/token-dialog.tsx: New token'),
        ['Name', 'Website'],
        ['Your password', '{password}'],
        'Make token',
        sees('sessions/account/token-dialog.tsx: Your new token'),
        'Done',
        'End the token “Website”',
        sees('sessions/account/api-section.tsx: End the token “{name}”?'),
      ],
    ],
  },
  {
    path: '/add-balance',
    ways: [['Have a code?', sees('payments/codes/redeem-code.tsx: Redeem a code')]],
  },
  {
    path: '/account',
    ways: [[({ behind }) => behind.endSession(), sees('shell/live-updates.tsx: {ended.message}')]],
  },
]

/** Dialogs of a buyer without money. */
export const LEAVER: readonly Screen[] = [
  {
    path: '/account',
    ways: [
      [
        'Delete my account',
        sees('sessions/account/account-deletion-dialog.tsx: Delete my account'),
        ['Your password', '{password}'],
        'Delete my account',
        sees('sessions/account/account-deletion-dialog.tsx: Your account will be deleted on {date}'),
      ],
    ],
  },
]

export const PANEL: readonly Screen[] = [
  {
    path: '/admin/dashboard',
    ways: [
      ['Menu', sees('shell/admin/admin-shell.tsx: Menu')],
      ['Search', sees('shell/admin/quick-search.tsx: Search')],
      ['Close…', sees('bank/admin/queue/alarm-bar.tsx: Close this alarm?')],
    ],
  },
  {
    path: '/admin/product-manager',
    ways: [
      ['More: Products', 'Change order', sees('catalogue/admin/product-order-dialog.tsx: Change order')],
      ['More: Products', 'Change prices', sees('catalogue/admin/reprice-dialog.tsx: Change prices')],
      ['Filters', sees('ui/admin/lists/list-page.tsx: Filters')],
      [
        'More: Orbit Arena Pro',
        sees('ui/admin/lists/action-menu.tsx: {about}'),
        'Delete Orbit Arena Pro',
        sees('catalogue/admin/product-deletion.tsx: Delete {name}?'),
      ],
      [
        ({ tab }) =>
          tab.run(() =>
            [...document.querySelectorAll<HTMLElement>('[aria-label]')]
              .find((each) => each.getAttribute('aria-label')?.includes('Move Orbit Arena'))
              ?.focus(),
          ),
        ({ tab }) => tab.key('Enter'),
        sees('catalogue/admin/product-place-dialog.tsx: Move {name}'),
      ],
      [
        'New product',
        sees('catalogue/admin/product-dialog.tsx: New product'),
        ['Name', 'x'],
        'Cancel',
        sees('ui/overlays/edit-dialog.tsx: Discard your changes?'),
      ],
      [
        'Edit Orbit Arena Pro',
        sees('catalogue/admin/product-dialog.tsx: Edit {name}'),
        ['Description…', 'Mine'],
        ({ behind }) => behind.editProduct(),
        'Save changes',
        sees('catalogue/admin/use-save-product.ts: Overwrite the other changes?'),
      ],
    ],
  },
  {
    path: '/admin/key-manager',
    ways: [
      [
        'Keys: add to Orbit Arena Pro, 5 Days',
        sees('keys/admin/import/key-import-dialog.tsx: Add keys'),
        ['Keys, one per line', 'ONE-KEY'],
        'Close',
        sees('keys/admin/import/key-import-dialog.tsx: Discard {count, plural, one {# key} other {# keys}}?'),
      ],
    ],
  },
  {
    path: '/admin/key-manager?view=keys&product={product}&duration=5+Days&status=available&search={key}',
    ways: [
      ['Edit key…', sees('keys/admin/manager/key-edit-dialog.tsx: Edit key')],
      ['More: {key}', 'Delete key…', sees('keys/admin/manager/key-manager-deletions.tsx: Delete key {key}?')],
      [
        'More: Keys',
        'Delete all',
        sees('keys/admin/manager/key-manager-deletions.tsx: Delete all unsold keys of {product}, {duration}?'),
      ],
    ],
  },
  {
    path: '/admin/key-manager?view=batches&product={product}',
    ways: [
      ['Edit the batch of Orbit Arena Pro, 5 Days…', sees('keys/admin/manager/batch-edit-dialog.tsx: Edit batch')],
      [
        'More: Orbit Arena Pro, 5 Days',
        'Undo batch…',
        sees('keys/admin/manager/key-manager-deletions.tsx: Undo this batch of {product}, {duration}?'),
      ],
    ],
  },
  {
    path: '/admin/key-manager?view=batches&search=Key+Bazaar',
    ways: [
      [
        'Answer claims: batch…',
        sees('claims/admin/batch-answer-dialog.tsx: Answer {count, plural, one {# open claim} other {# open claims}}?'),
      ],
      ['Recall: batch…', sees('claims/admin/recall-dialog.tsx: Recall batch of {product}, {duration}?')],
    ],
  },
  {
    path: '/admin/claims',
    ways: [['Answer C-…', sees('claims/admin/claim-dialog.tsx: {number} by {name}')]],
  },
  {
    path: '/admin/payment-manager?status=pending&search={buyer}',
    ways: [
      ['Reject ₹412…', sees('payments/admin/requests/reject-dialog.tsx: Reject {amount} from {name}?')],
      [
        'More: {buyer}',
        'Delete ₹…',
        sees('payments/admin/requests/deletion-dialog.tsx: Delete the payment of {amount} by {name}?'),
      ],
      [
        'More: {buyer}',
        'Credit a different amount than…',
        sees('payments/admin/requests/amount-dialog.tsx: Credit a different amount than {amount}?'),
      ],
      ['Approve ₹412…', sees('bank/admin/queue/bank-line.tsx: Approve {amount} anyway?')],
      ['Credit ₹100 instead', sees('bank/admin/queue/bank-line.tsx: Credit {shown} instead of {amount}?')],
      ['Upload statement', sees('bank/admin/upload/upload-dialog.tsx: Upload statement')],
      [
        // Both have a warning
        tick('Select ₹412…'),
        tick('Select ₹414…'),
        'Approve 2',
        sees('payments/admin/queue/use-bulk-approval.ts: Approve {count, plural, one {# request} other {# requests}}?'),
      ],
    ],
  },
  {
    path: '/admin/payment-manager?status=approved&search={utr}',
    ways: [
      [
        'More: {buyer}',
        'Held by the bank…',
        sees('payments/admin/requests/hold-dialog.tsx: Does the bank hold {amount} of {name}?'),
        ['What the bank wrote', 'Letter 7'],
        tick('Let them buy while it is held'),
        'Mark as held',
        'More: {buyer}',
        'Bank let it go…',
        sees('payments/admin/requests/hold-dialog.tsx: Has the bank let {amount} of {name} go?'),
      ],
    ],
  },
  {
    path: '/admin/payment-manager?status=pending&search={other}',
    ways: [['Approve ₹10,000…', sees('payments/admin/requests/decisions.ts: Not in your bank yet')]],
  },
  {
    path: '/admin/payment-manager?status=all',
    ways: [
      [shared(''), sees('bank/admin/upload/shared-statement.ts: Shared from another app: a text. Use it?')],
      [
        shared(`${'long'.repeat(30)}.csv`),
        sees('bank/admin/upload/shared-statement.ts: Shared from another app: {name}. Use it?'),
      ],
    ],
  },
  {
    path: '/admin/bank?search=77',
    ways: [
      ['Ignore ₹77…', sees('bank/admin/money/credit-dialog.tsx: Ignore {amount}?')],
      [
        tick('Select all…'),
        'Ignore…',
        sees('bank/admin/money/credit-dialog.tsx: Ignore {count} payments, {amount} in all?'),
      ],
      [
        'Credit to user… ₹77…',
        sees('bank/admin/money/credit-dialog.tsx: Credit {amount} to a user'),
        ['Search name, email or phone', '{buyer}'],
        tick('{buyer}'),
        ['Reason', 'It was theirs'],
        'Credit ₹77',
        sees('bank/admin/money/credit-dialog.tsx: Credit {amount} to {name}?'),
      ],
    ],
  },
  {
    path: '/admin/bank?status=matched&search={utr}',
    ways: [['Take back…', sees('bank/admin/money/take-back-dialog.tsx: Take {amount} back from {name}?')]],
  },
  {
    path: '/admin/settings/bank',
    ways: [
      ['Add account', sees('bank/admin/settings/account-dialog.tsx: Add a bank account')],
      ['Edit Store account', sees('bank/admin/settings/account-dialog.tsx: Edit {name}')],
      ['Connect a phone', sees('bank/admin/settings/connect-phone-dialog.tsx: Connect a phone')],
    ],
  },
  {
    path: '/admin/settings',
    ways: [
      [
        // No phone connects to a store without HTTPS
        answered('/bank/devices', JSON.stringify({ devices: [CONNECTED_PHONE] })),
        ({ tab }) => press(tab, 'link', 'Bank accounts and rules…'),
        'Disconnect Counter',
        sees('bank/admin/settings/phones-section.tsx: Disconnect {name}?'),
      ],
      [
        // Ten statements would have to prove it
        ({ tab, url }) => goto(tab, `${url}/admin/settings`),
        answered('/bank/forms', JSON.stringify({ forms: [PROVEN_WORDING] })),
        ({ tab }) => press(tab, 'link', 'Bank accounts and rules…'),
        'Let it count…',
        sees('bank/admin/settings/trials-section.tsx: Let this wording count?'),
      ],
    ],
  },
  {
    path: '/admin/topup-plan-manager',
    ways: [
      ['New plan', sees('payments/admin/plans/plan-dialog.tsx: New top-up plan')],
      ['Edit ₹500 plan', sees('payments/admin/plans/plan-dialog.tsx: Edit {amount} plan')],
      [
        'More: Pay ₹500…',
        'Delete ₹500 plan',
        sees('payments/admin/plans/topup-plan-manager-screen.tsx: Delete the {amount} plan?'),
      ],
    ],
  },
  {
    path: '/admin/groups',
    ways: [
      ['Make a group', sees('groups/admin/group-dialog.tsx: New buyer group')],
      ['Edit Gold', sees('groups/admin/group-dialog.tsx: Edit {name}')],
      ['More: Gold', 'Remove Gold', sees('groups/admin/groups-screen.tsx: Remove {name}?')],
    ],
  },
  {
    path: '/admin/suppliers',
    ways: [
      ['Connect a supplier', sees('supply/admin/supplier-dialog.tsx: Connect a supplier'), 'Other API'],
      ['Edit Wholesale Keys', sees('supply/admin/supplier-dialog.tsx: Edit {name}')],
      ['More: Wholesale Keys', 'Remove Wholesale Keys', sees('supply/admin/supplier-removal.tsx: Remove {name}?')],
    ],
  },
  {
    path: '/admin/suppliers?view=sources',
    ways: [
      ['Add a product', sees('supply/admin/source-dialog.tsx: Add a product')],
      ['Order Paper Kingdoms, 1 Month now', sees('supply/admin/order-now-dialog.tsx: Order {name} now')],
      ['Edit Paper Kingdoms, 1 Month', sees('supply/admin/source-dialog.tsx: Edit {name}')],
      [
        'More: Paper Kingdoms, 1 Month',
        'Stop buying Paper Kingdoms, 1 Month',
        sees('supply/admin/supplier-removal.tsx: Stop buying {name}?'),
      ],
    ],
  },
  {
    path: '/admin/suppliers?view=orders',
    ways: [['Did they deliver S-1004?', sees('supply/admin/settle-dialog.tsx: Did they deliver {number}?')]],
  },
  {
    path: '/admin/codes',
    ways: [
      [
        'Make codes',
        sees('wallet/admin/make-codes-dialog.tsx: Make codes'),
        ['Name', 'Diwali'],
        ['How many', '2'],
        ['Each adds (₹)', '1'],
        'Make codes',
        sees('wallet/admin/made-codes.tsx: {count, plural, one {# code} other {{codes} codes}} of {amount}'),
        'Close',
        sees('ui/admin/codes-shown-once.tsx: Leave without saving the codes?'),
      ],
      ['End Festival gift', sees('wallet/admin/code-columns.tsx: End {name}?')],
    ],
  },
  {
    path: '/admin/referral-manager',
    ways: [
      ['New code', sees('referrals/admin/referral-dialog.tsx: New referral code')],
      ['Share sign-up link of WELCOME50', sees('ui/pictures/link-dialog.tsx: {title}')],
      ['More: WELCOME50', 'Edit WELCOME50', sees('referrals/admin/referral-dialog.tsx: Edit {code}')],
      ['More: WELCOME50', 'Delete WELCOME50', sees('referrals/admin/referral-manager-screen.tsx: Delete {code}?')],
    ],
  },
  {
    path: '/admin/referral-manager',
    ways: [
      [
        answered('/api/invites', JSON.stringify([INVITER])),
        'Buyers’ invitations',
        'Own rate of asha',
        sees('referrals/admin/invites/own-rate-dialog.tsx: Own rate of {name}'),
      ],
    ],
  },
  {
    path: '/admin/user-manager?search={buyer}',
    ways: [
      ['Password link for {buyer}', sees('users/admin/reset-link-dialog.tsx: Password link for {name}')],
      ['Reset device lock for {buyer}', sees('users/admin/user-manager-screen.tsx: Reset the device lock for {name}?')],
      ['Edit {buyer}', sees('users/admin/user-dialog.tsx: Edit {name}')],
      [
        'Edit {buyer}',
        'Prices',
        'End all tokens',
        sees('users/admin/user-dialog-products.tsx: End all tokens of {name}?'),
      ],
      ['More: {buyer}', 'Block {buyer}', sees('users/admin/block-dialog.tsx: Block {name}?')],
      ['More: {buyer}', 'Delete {buyer}', sees('users/admin/user-deletion.tsx: Delete {name}?')],
      [
        'More: {buyer}',
        'Details of {buyer}…',
        sees('users/admin/user-panel.tsx: {user.username}'),
        'Devices',
        'Logout: …',
        sees('users/admin/user-panel-sessions.tsx: Log {name} out of {browser}?'),
      ],
    ],
  },
  {
    path: '/admin/admins',
    ways: [
      ['Edit {admin}', sees('admins/admin/admin-dialog.tsx: Edit {name}')],
      ['Log {admin} out of all devices', sees('admins/admin/admins-screen.tsx: {question}')],
      ['More: {admin}', 'Remove {admin}', sees('admins/admin/admins-screen.tsx: Remove {name}?')],
      [
        tick('Require two-step verification for all admins…'),
        sees('admins/admin/second-factor-demand.tsx: Require two-step verification for all admins?'),
      ],
      [
        'New admin',
        sees('admins/admin/admin-dialog.tsx: New admin'),
        ['Username', '{newcomer}'],
        ['Temporary password', '{password}'],
        'Add admin',
        once('Share these details'),
        sees('admins/admin/first-login-dialog.tsx: Share these details with {name}'),
      ],
    ],
  },
  {
    path: '/admin/security',
    ways: [['Logout: …', sees('sessions/account/own-sessions.tsx: Log out {device}?')]],
  },
]

/** Dialogs of an admin with an authenticator app, who has proven nothing since the login. */
export const GUARDED: readonly Screen[] = [
  {
    path: '/admin/security',
    ways: [
      ['Turn off', sees('admins/admin/second-factor-panel.tsx: Turn off two-step verification')],
      [
        'New recovery codes',
        sees('admins/admin/second-factor-panel.tsx: Create new recovery codes?'),
        'Create new codes',
        sees('admins/admin/step-up-dialog.tsx: Confirm it’s you'),
        'Password',
        ['Your password', '{given}'],
        'Confirm',
        sees('admins/admin/recovery-codes.tsx: Save your recovery codes'),
        'Close',
        sees('ui/admin/codes-shown-once.tsx: Leave without saving the codes?'),
      ],
    ],
  },
]

/** All that the ways lead to. */
export const DIALOGS: readonly string[] = [VISITOR, BUYER, LEAVER, PANEL, GUARDED]
  .flat()
  .flatMap(({ ways }) => ways.flat())
  .flatMap((step) => (typeof step === 'object' && 'sees' in step ? [step.sees] : []))

/** Returns the name of a dialog from its title in the sources. */
export function titlePattern(where: string): RegExp {
  let title = where.slice(where.indexOf(': ') + 2)
  for (let inner = ''; inner !== title;) {
    inner = title
    // A plural has braces within braces
    title = title.replaceAll(/\{[^{}]*\}/g, '\0')
  }
  return new RegExp(`^${title.split('\0').map(escaped).join('.+')}$`, 's')
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

export const withNames = (text: string, names: Names): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: keyof Names) => names[name])

/** Walks one way, from its screen. `look` is given what the way leads to. */
export async function walk(way: readonly Step[], given: Given, look: (where: string) => Promise<void>): Promise<void> {
  const { tab, names } = given
  for (const step of way) {
    if (typeof step === 'string') await press(tab, 'button', withNames(step, names))
    else if (typeof step === 'function') await step(given)
    else if ('sees' in step) await look(step.sees)
    else await fill(tab, withNames(step[0], names), withNames(step[1], names))
  }
}
