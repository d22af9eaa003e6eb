import { translator, type Said } from './words.ts'

/**
 * Every expected refusal, with its status and its text for people. The server throws it, which rolls the
 * transaction back. It arrives in the browser as `{message, code, fields?, say?}`.
 */
const refusals = {
  INVALID_INPUT: { status: 400, message: 'Check the highlighted fields.' },
  INVALID_JSON: { status: 400, message: 'The request body is not valid JSON.' },
  INVALID_REFERRAL: { status: 400, message: 'Invalid referral code' },
  REFERRAL_USED_UP: { status: 400, message: 'This referral code has reached its limit' },
  REFERRAL_NOT_FOUND: { status: 404, message: 'Invalid referral code' },
  RESET_COOLDOWN: { status: 400, message: 'The device lock can be reset 24 hours after first login.' },
  BAD_PERIOD: { status: 400, message: 'Choose a period that ends after it begins, of up to 3 years.' },
  NO_DEVICE_LOCK: { status: 400, message: 'This account has no device lock.' },
  DUPLICATE_KEYS: { status: 400, message: 'Some or all keys were duplicates and were not added (duplicate key error)' },
  WRONG_CODE: { status: 400, message: 'That code is wrong or already used. Enter a new one.' },
  STATEMENT_UNREADABLE: { status: 400, message: 'We couldn’t read this statement.' },
  PAIRING_INVALID: { status: 400, message: 'This code was already used or has expired. Ask for a new one.' },
  RESET_LINK_INVALID: {
    status: 400,
    message: 'This link was already used or has expired. Ask for a new one.',
  },
  PUSH_HOST_REFUSED: {
    status: 400,
    message: 'This browser can’t receive our notifications. Try Chrome, Firefox, Edge or Safari.',
  },
  COOKIES_NEEDED: {
    status: 400,
    message: 'This browser blocks cookies. Allow them for this site, then log in again.',
  },
  URL_REFUSED: { status: 400, message: 'Enter the public https address of another store.' },
  IDEMPOTENCY_KEY_REQUIRED: { status: 400, message: 'Send an Idempotency-Key with each purchase by a token.' },
  WRONG_PASSWORD: { status: 400, message: 'Your current password is incorrect.' },

  NO_SESSION: { status: 401, message: 'Please log in to continue.' },
  WRONG_CREDENTIALS: { status: 401, message: 'Incorrect username or password.' },
  SESSION_EXPIRED: { status: 401, message: 'Login detected on another device. Please login again.' },
  DEVICE_MISMATCH: { status: 401, message: 'Login detected on another device. Please login again.' },
  TOTP_REQUIRED: { status: 401, message: 'Enter the 6-digit code from your authenticator app.' },
  DEVICE_TOKEN_INVALID: { status: 401, message: 'This phone is not connected. Connect it again in the panel.' },
  TOKEN_INVALID: { status: 401, message: 'This token does not work here.' },
  TOTP_INVALID: { status: 401, message: 'That code is wrong or already used. Enter a new one.' },

  OPERATOR_REQUIRED: { status: 403, message: 'Only the person who runs the server can do this.' },
  TOKEN_REFUSED: { status: 403, message: 'This token may not do this.' },
  NOT_RESELLER: { status: 403, message: 'This store does not let you buy by program yet.' },
  ADMIN_REQUIRED: { status: 403, message: 'Only admins can do this.' },
  NEW_OWNER: { status: 403, message: 'You became an owner less than 72 hours ago. Another owner decides this.' },
  FORBIDDEN_ROLE: { status: 403, message: 'Your role can’t do this. Ask the store owner.' },
  ENROLMENT_REQUIRED: { status: 403, message: 'Set up two-step verification first. This store requires it.' },
  STEP_UP_REQUIRED: { status: 403, message: 'Please confirm it’s you.' },
  REPLACED_BEFORE: {
    status: 403,
    message: 'This key was itself a replacement. A payments admin or the owner can replace it.',
  },
  DAY_LIMIT: {
    status: 403,
    message: 'This is above what your role may give in a day. Ask a payments admin or the owner.',
  },
  CROSS_SITE: { status: 403, message: 'This request came from another site, so we blocked it.' },
  DEVICE_ALREADY_LOGGED_IN: {
    status: 403,
    message: 'You are already logged in on another device. Please logout from the other device first.',
  },
  ACCOUNT_BLOCKED: { status: 403, message: 'This account is blocked.' },
  ACCOUNT_CLOSING: {
    status: 403,
    message: 'This account is set to be deleted. Log in and cancel the deletion to keep it.',
  },

  NOT_FOUND: { status: 404, message: 'Not found.' },
  PRODUCT_NOT_FOUND: { status: 404, message: 'This product or duration is not available.' },
  CODE_INVALID: { status: 404, message: 'This code is not valid. Check it letter by letter.' },
  PLAN_NOT_FOUND: { status: 404, message: 'This top-up plan is no longer available.' },

  ACCOUNT_TAKEN: { status: 409, message: 'That email or username is already taken.' },
  NAME_TAKEN: { status: 409, message: 'A product with this name already exists.' },
  SUM_TAKEN: { status: 409, message: 'Another group already begins at this sum.' },
  ADMIN_TAKEN: { status: 409, message: 'An admin with this username already exists.' },
  LAST_OWNER: { status: 409, message: 'The store needs at least one owner. Make another admin an owner first.' },
  ALREADY_ENROLLED: { status: 409, message: 'Two-step verification is already on.' },
  NOT_ENROLLED: { status: 409, message: 'Two-step verification is not set up.' },
  PICTURE_CHANGED: { status: 409, message: 'A newer picture was saved. Nothing was changed.' },
  CODE_TAKEN: { status: 409, message: 'This referral code already exists.' },
  CODE_USED: { status: 409, message: 'This code was already used.' },
  ONE_EACH: { status: 409, message: 'You have already used a code of this offer.' },
  KEY_EXISTS: { status: 409, message: 'This key is already in stock or sold.' },
  STOCK_CHANGED: { status: 409, message: 'The number of unsold keys has changed. Check the new number.' },
  KEY_SOLD: { status: 409, message: 'Sold keys can’t be edited or deleted.' },
  BATCH_TOUCHED: { status: 409, message: 'This batch can’t be undone because some of its keys were sold or edited.' },
  BATCH_UNDONE: { status: 409, message: 'This batch was already undone.' },
  BATCH_RECALLED: { status: 409, message: 'This batch was already recalled.' },
  CLAIM_OPEN: { status: 409, message: 'You already reported this key. We’ll answer soon.' },
  CLAIM_TOO_LATE: { status: 409, message: 'This key can no longer be reported, because it expired over 7 days ago.' },
  TOO_MANY_CLAIMS: { status: 409, message: 'You have 5 open reports. Wait until one is answered.' },
  TOO_MANY_GROUPS: { status: 409, message: 'There are 10 groups. Remove one first.' },
  TOO_MANY_TOKENS: { status: 409, message: 'You have 5 tokens. End one first.' },
  CLAIM_DECIDED: { status: 409, message: 'This report was already answered.' },
  AMOUNT_CHANGED: { status: 409, message: 'The refund has changed. Check the new amount.' },
  INSUFFICIENT_BALANCE: { status: 409, message: 'Low balance! Please add money to your wallet.' },
  OUT_OF_STOCK: { status: 409, message: 'OUT OF STOCK for this product/duration' },
  INVALID_PRICE: { status: 409, message: 'This duration isn’t available to buy yet.' },
  PRICE_CHANGED: { status: 409, message: 'The price has changed. Check the new price and buy again.' },
  LIMIT_REACHED: { status: 409, message: 'You have bought all that one buyer can.' },
  TRIAL_REFUSED: {
    status: 409,
    message: 'The trial is one per person, and somebody with your phone or payment account had it.',
  },
  KEY_EXPIRED: { status: 409, message: 'This key has expired. Buy it again.' },
  TOO_SHORT: { status: 409, message: 'Only keys of 3 days and longer can keep renewing.' },
  CANNOT_TELL: {
    status: 409,
    message: 'Turn on notifications or confirm your email first, so that we can tell you a day before.',
  },
  IN_STOCK: { status: 409, message: 'This duration is in stock. You can buy it now.' },
  ALREADY_WAITING: { status: 409, message: 'You’re already on the waiting list.' },
  AUTO_BUY_OFF: { status: 409, message: 'Auto-buy is off. You can still get a notification.' },
  SOURCE_TAKEN: { status: 409, message: 'This product of theirs already fills another duration.' },
  NOT_FETCHABLE: { status: 409, message: 'Our supplier can’t deliver this right now.' },
  FETCH_OPEN: { status: 409, message: 'A key is already on its way to you.' },
  TOO_MANY_FETCHES: { status: 409, message: 'You gave up three orders today. Try again tomorrow.' },
  DAY_SPENT: { status: 409, message: 'This is above what may be spent at this supplier today.' },
  PLAN_CHANGED: { status: 409, message: 'This plan has changed. Check the new amount and submit again.' },
  CHANNEL_OFF: { status: 409, message: 'These notifications are turned off in this store.' },
  PAYMENTS_OFF: { status: 409, message: 'The admin is offline. Money cannot be added right now.' },
  UTR_ALREADY_USED: { status: 409, message: 'This UTR has already been submitted.' },
  TOO_MANY_PENDING: {
    status: 409,
    message: 'You have reached the limit of pending requests. Wait until one is approved or rejected.',
  },
  BALANCE_LEFT: { status: 409, message: 'You still have money in your wallet. Spend it first.' },
  REQUEST_PENDING: { status: 409, message: 'You have a pending top-up request. Wait until it’s approved or rejected.' },
  ACCOUNT_NOT_CLOSING: { status: 409, message: 'This account is not set to be deleted.' },
  UNSUBSCRIBE_LINK_INVALID: {
    status: 400,
    message: 'This link is not valid. Log in, and turn emails off in your account.',
  },
  NOT_CONFIRMED: { status: 409, message: 'The bank no longer confirms this payment. Check it on its own.' },
  NOT_PENDING: { status: 409, message: 'This payment was already approved or rejected.' },
  ACCOUNT_UNKNOWN: { status: 409, message: 'This statement is for another account. Choose the right one.' },
  ACCOUNT_TAKEN_HERE: { status: 409, message: 'This bank account is already in the list.' },
  CREDIT_TAKEN: { status: 409, message: 'This money already paid for a top-up, or was ignored.' },
  NOT_A_PAYMENT: { status: 409, message: 'This isn’t a buyer’s payment, so it can’t be credited.' },
  AMOUNT_DIFFERS: { status: 409, message: 'The bank shows another amount. Reload and check it.' },
  USER_BLOCKED: { status: 409, sentAs: 'ACCOUNT_BLOCKED', message: 'This user is blocked. Unblock them first.' },
  NOT_APPROVED: { status: 409, message: 'Only an approved top-up can be held by the bank.' },
  NOT_HELD: { status: 409, message: 'The bank does not hold this payment any more.' },
  NOTHING_TO_TAKE_BACK: { status: 409, message: 'Only an approved top-up can be taken back.' },
  HTTPS_REQUIRED: {
    status: 409,
    message: 'A phone needs an https address. Ask the person who runs your server to set one.',
  },

  PAYLOAD_TOO_LARGE: { status: 413, message: 'That’s too large to send in one go. Split it and try again.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Please send JSON.' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: 'This Idempotency-Key was already used for a different order.' },
  RATE_LIMITED: { status: 429, message: 'Too many attempts. Please wait and try again.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our end. Please try again.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The store is busy right now. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string; sentAs?: string }>

const inEnglish = translator('en')

export type RefusalCode = keyof typeof refusals

export function refusalStatus(code: RefusalCode): number {
  return refusals[code].status
}

/** The code on the wire. One code can have a status for buyers and another for admins. */
export function refusalCode(code: RefusalCode): RefusalCode {
  const { sentAs = code } = refusals[code] as { sentAs?: RefusalCode }
  return sentAs
}

export function refusalMessage(code: RefusalCode): string {
  return refusals[code].message
}

/** The codes as they stand on the wire. */
export const REFUSAL_CODES = [...new Set((Object.keys(refusals) as RefusalCode[]).map(refusalCode))]

interface RefusalExtras {
  /** Replaces the code's own text. */
  message?: string
  /** Replaces it by a text with values, so that the browser can say it in the reader's language. */
  say?: Said
  /** Field name → its fault, in words for the form. */
  fields?: Record<string, string>
  /** The field that the message is about. */
  field?: string
  /** Further members of the answer's body, such as `shortfall` in rupees. */
  details?: Record<string, unknown>
  /** Milliseconds until another try can succeed; sent as `Retry-After`. */
  retryAfterMs?: number
}

/** An expected refusal. Throwing it inside a transaction undoes the transaction. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly extras: RefusalExtras
  constructor(
    readonly code: RefusalCode,
    { field, ...extras }: RefusalExtras = {},
  ) {
    super(extras.say ? inEnglish(...extras.say) : (extras.message ?? refusals[code].message))
    this.extras = field === undefined ? extras : { ...extras, fields: { [field]: this.message } }
  }
}
