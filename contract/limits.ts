/** The business constants of the specification (sections 5 and 9), with their units in their names. */
export const DEFAULT_WEBSITE_NAME = 'Chaabi'
export const DEFAULT_WEBSITE_TITLE = 'Chaabi: licence keys, delivered instantly'

export const ORDER_QUANTITY_MIN = 1
export const ORDER_QUANTITY_MAX = 100
export const KEYS_PER_IMPORT_MAX = 50_000
export const KEY_LENGTH_MAX = 256
/** A duration with fewer keys than this is low in stock, until an admin sets another number. */
export const LOW_STOCK_BELOW_DEFAULT = 5
export const LOW_STOCK_BELOW_MAX = 1_000_000
/** The earliest reminder of a key, in days before its end. */
export const REMIND_DAYS_MAX = 30
export const SUPPLIER_LENGTH_MAX = 80
export const NOTE_LENGTH_MAX = 300
export const CLAIM_NOTE_LENGTH_MAX = 500
export const OPEN_CLAIMS_MAX = 5
/** Of a reseller, who reports the bad keys of all his buyers. */
export const RESELLER_OPEN_CLAIMS_MAX = 50
/** A key can be reported until this long after its end. */
export const CLAIM_AFTER_END_MS = 7 * 24 * 3_600_000
/** The store answers a claim within this time. */
export const CLAIM_ANSWER_MS = 48 * 3_600_000
/** The refund rule of the terms (specification, section 9): asked within this time … */
export const REFUND_WITHIN_MS = 2 * 3_600_000
/** … and more than this part of the key's validity is unused. */
export const REFUND_UNUSED_ABOVE = 0.75
/** If that rule has a fee, it lies between these two. */
export const REFUND_FEE_MIN_PAISE = 20_00
export const REFUND_FEE_MAX_PAISE = 50_00
export const REFUND_NOTE_LENGTH_MAX = 600
export const PHONE_DIGITS = 10
export const TOPUP_MIN_PAISE = 1_00
export const PENDING_TOPUPS_MAX = 5

export const STATEMENT_BYTES_MAX = 5_242_880
export const STATEMENT_LINES_MAX = 20_000
/** The most that each rule of automatic approval can allow. */
export const BANK_PER_BUYER_DAY_MAX_PAISE = 1_00_000_00
export const BANK_PER_DAY_MAX_PAISE = 10_00_000_00
export const BANK_UNPROVEN_MAX_PAISE = 1_00_000_00

export const USERNAME_LENGTH_MIN = 3
export const USERNAME_LENGTH_MAX = 32
export const EMAIL_LENGTH_MAX = 254
export const PASSWORD_LENGTH_MIN = 8
export const ADMIN_PASSWORD_LENGTH_MIN = 12
export const PASSWORD_LENGTH_MAX = 128
/** A backup's passphrase, because guesses at a file have no limit. */
export const PASSPHRASE_LENGTH_MIN = 12
export const REFERRAL_CHECK_LENGTH_MIN = 3
export const NOTICE_LENGTH_MAX = 2_000
export const TITLE_LENGTH_MAX = 80
export const HERO_LINE_LENGTH_MAX = 80
export const DESCRIPTION_LENGTH_MAX = 1_000
/** Quantities from which a duration is cheaper. */
export const STEPS_MAX = 4
/** Groups of buyers. */
export const GROUPS_MAX = 10
export const GROUP_NAME_LENGTH_MAX = 40
export const GROUP_PERCENT_MAX = 90
export const GROUP_PRICES_MAX = 1_000
/** Prices that change together. */
export const REPRICED_MAX = 500
export const INSTRUCTIONS_LENGTH_MAX = 2_000
export const LINK_LENGTH_MAX = 500
export const REASON_LENGTH_MAX = 300

/** Redeem codes of one batch, and what one may credit. */
export const CODES_MAX = 1_000
export const CODE_AMOUNT_MAX_PAISE = 10_000_00
/** A code can be redeemed for this long at most. */
export const CODE_DAYS_MAX = 730
/** Days that the credit of a code lasts. */
export const CREDIT_DAYS_MIN = 7
export const CREDIT_DAYS_MAX = 730

/** Days that the credit of an invitation lasts. */
export const INVITE_DAYS_MIN = 7
export const INVITE_DAYS_MAX = 365
/** Friends of one inviter that can wait for their first payment. */
export const WAITING_FRIENDS_MAX = 50
/** A friend submits the payment within this time after sign-up, … */
export const INVITE_FILED_WITHIN_MS = 30 * 24 * 3_600_000
/** … and a statement has to show it within this one. */
export const INVITE_PROVEN_WITHIN_MS = 60 * 24 * 3_600_000

export const ADJUSTMENT_EXPIRY_DEFAULT_DAYS = 60
export const ADJUSTMENT_EXPIRY_MAX_DAYS = 3_650
export const DEVICE_RESET_AFTER_MS = 24 * 3_600_000
/** How long a lock holds for a browser that has not shown its device cookie, which it may never have got. */
export const UNSHOWN_DEVICE_HOLDS_MS = 2 * 60_000
/** A password link and a device lock reset by admins are this far apart, unless an owner does the second. */
export const OPENINGS_APART_MS = 24 * 3_600_000
/** How long an account's purchases are marked after an admin let a device into it. */
export const LET_IN_MARKED_MS = 7 * 24 * 3_600_000
/** Another UPI ID or a new owner stands in red in the panel for this long, until an owner confirms or undoes it. */
export const ALERT_LASTS_MS = 72 * 3_600_000

/** A session ends after this long without use, and at the latest this long after the login. */
export const USER_SESSION_IDLE_MS = 7 * 24 * 3_600_000
export const USER_SESSION_LONGEST_MS = 30 * 24 * 3_600_000
export const ADMIN_SESSION_IDLE_MS = 12 * 3_600_000
export const ADMIN_SESSION_LONGEST_MS = 7 * 24 * 3_600_000
/** A step-up counts for this long. */
export const STEP_UP_LASTS_MS = 10 * 60_000
/** Credit and deductions without a step-up are added up over this time. */
export const STEP_UP_COUNTS_FOR_MS = 24 * 3_600_000
/** Tokens of a reseller that work at the same time. */
export const OPEN_TOKENS_MAX = 5
export const TOKEN_ADDRESSES_MAX = 5
export const TOKEN_NAME_LENGTH_MAX = 40
/** A token ends after so many days. */
export const TOKEN_DAYS = [30, 90, 365] as const
export const OWN_ORDERS_MAX = 500
export const RESET_LINK_LASTS_MS = 30 * 60_000
/** A browser is known as a device for this long. Browsers keep no cookie longer. */
export const DEVICE_COOKIE_MS = 400 * 24 * 3_600_000

/** Credit that expires within this many days is shown as expiring soon. */
export const LAPSING_SOON_DAYS = 30

export const PAYMENTS_PAGE_SIZE = 10
export const USERS_PAGE_SIZE = 10
export const PURCHASES_PAGE_SIZE = 50
export const PAGE_SIZE_MAX = 100
/** Requests on the dashboard: enough to go on with the next one while the decided ones are still in the list. */
export const NEXT_REQUESTS = 3
export const ALARMS_SHOWN = 5
export const CLAIMS_PAGE_SIZE = 20
export const BOOK_BATCHES_PAGE_SIZE = 20
/** The longest period of sales that bonus paid for, because all of them are read. */
export const BOOK_BONUS_DAYS_MAX = 31
export const AUDIT_PAGE_SIZE = 10
export const SEARCH_DEBOUNCE_MS = 400
export const PURCHASES_SEARCH_DEBOUNCE_MS = 500

export const SYNC_POLL_INTERVAL_MS = 3_000
/** Keys that one buyer can wait for. */
export const WAITING_QUANTITY_MAX = 10
/** The store buys for a buyer who waits for this long after he asked for it. */
export const AUTO_BUY_LASTS_MS = 30 * 24 * 3_600_000
/** What is ordered at a supplier for a buyer is bought within this time, or not at all. */
export const FETCH_LASTS_MS = 10 * 60_000
/** A supplier that has not yet sold anything is said to take so long, in seconds. */
export const FETCH_USUAL_S = 5
/** Orders of a day that a buyer gave up or could not pay. Then he may order no more. */
export const FETCHES_LOST_MAX = 3
/** What a buyer wants to buy with a top-up is given up after this. */
export const WISH_LASTS_MS = 7 * 24 * 3_600_000
/** Keys of this length and longer can keep renewing. */
export const REPEAT_FROM_MS = 3 * 24 * 3_600_000
/** What keeps renewing is never bought sooner than this after the message about it. */
export const RENEWAL_TOLD_MS = 20 * 3_600_000
/** What could not be bought is tried for this long, or for the duration if that is shorter. */
export const RENEWAL_TRIES_MS = 24 * 3_600_000
/** Renewals that are due within this time are shown as demand. */
export const RENEWALS_SOON_MS = 7 * 24 * 3_600_000
/** The longest time that a supplier takes. */
export const LEAD_DAYS_MAX = 60
/** Keys of one purchase at a supplier, and keys that the store keeps on a shelf. */
export const SUPPLY_ORDER_MAX = 10
export const SUPPLY_KEEP_MAX = 100
/** After this a person may say what became of an order that a supplier doesn't answer for. */
export const SUPPLY_BY_HAND_MS = 24 * 3_600_000
export const SUPPLY_ORDERS_PAGE_SIZE = 25
/** Days that the admin dashboard shows at first. */
export const OVERVIEW_DAYS = 30
export const BALANCE_POLL_INTERVAL_MS = 5_000
export const COUNTDOWN_INTERVAL_MS = 60_000
export const COPY_FEEDBACK_MS = 1_500
export const PAYMENT_DIALOG_CLOSE_MS = 2_000
export const TOPUP_MESSAGE_MS = 3_500
export const BUY_REDIRECT_MS = 2_500
export const SIGNUP_REDIRECT_MS = 1_500
export const LOGGED_OUT_REDIRECT_MS = 1_500
export const BALANCE_NOTIFICATION_MS = 5_000
export const SIDEBAR_BREAKPOINT_PX = 900
export const UPI_NOTE = 'Wallet Recharge'
/** Above this, payer apps refuse a QR opened from the gallery for personal payees (NPCI OC-76C). */
export const UPI_GALLERY_MAX_RUPEES = 2_000
export const TERMS_EFFECTIVE = '19 July 2025'
/** The day of the newest version below, as the page says it. */
export const TERMS_CHANGED = '30 November 2026'
/** Names the text of web/settings/terms.ts in records of consent. A new text gets a new version and a new date. */
export const TERMS_VERSION = '2026-11-30'
/** Every version that a form may have shown, also in a page that was open during the update. */
export const TERMS_VERSIONS = [TERMS_VERSION, '2026-11-25', '2026-11-23', '2025-07-19'] as const
/** An account that is being closed can be kept for this long. */
export const CLOSING_UNDO_MS = 7 * 24 * 3_600_000

/** Sales of a financial year, in rupees. Which one counts for a store depends on its state and on what it sells. */
export const TURNOVER_LINES = [10_00_000, 20_00_000, 40_00_000] as const
