/**
 * Every expected "no", with its status and the text a person reads. A refusal is thrown on the server
 * (which rolls the transaction back) and arrives in the browser as `{message, code, fields?}`.
 */
const refusals = {
  INVALID_INPUT: { status: 400, message: 'Please check the form.' },
  INVALID_JSON: { status: 400, message: 'The request is not valid JSON.' },
  INVALID_REFERRAL: { status: 400, message: 'Invalid referral code' },
  REFERRAL_USED_UP: { status: 400, message: 'This referral code has been used up' },
  REFERRAL_NOT_FOUND: { status: 404, message: 'Invalid referral code' },
  RESET_COOLDOWN: { status: 400, message: 'The device lock can be reset 24 hours after first login.' },
  NO_DEVICE_LOCK: { status: 400, message: 'There is no device lock on this account.' },
  DUPLICATE_KEYS: { status: 400, message: 'Some or all keys were duplicates and were not added (duplicate key error)' },
  WRONG_CODE: { status: 400, message: 'That code is wrong or was used already.' },
  RESET_LINK_INVALID: {
    status: 400,
    message: 'This link was used already or is too old. Please ask the store for a new one.',
  },
  WRONG_PASSWORD: { status: 400, message: 'The current password is wrong.' },

  NO_SESSION: { status: 401, message: 'Please log in.' },
  WRONG_CREDENTIALS: { status: 401, message: 'Wrong username or password.' },
  SESSION_EXPIRED: { status: 401, message: 'Login detected on another device. Please login again.' },
  DEVICE_MISMATCH: { status: 401, message: 'Login detected on another device. Please login again.' },
  TOTP_REQUIRED: { status: 401, message: 'Enter the 6-digit code from your authenticator app.' },
  TOTP_INVALID: { status: 401, message: 'That code is wrong or was used already.' },

  OPERATOR_REQUIRED: { status: 403, message: 'Only the operator of the store can do this.' },
  ADMIN_REQUIRED: { status: 403, message: 'Only admins can do this.' },
  FORBIDDEN_ROLE: { status: 403, message: 'Your role does not allow this.' },
  ENROLMENT_REQUIRED: { status: 403, message: 'Please set up your authenticator app first: this store asks for it.' },
  STEP_UP_REQUIRED: { status: 403, message: 'Please confirm that it is you.' },
  CROSS_SITE: { status: 403, message: 'This request came from another site and was refused.' },
  DEVICE_ALREADY_LOGGED_IN: {
    status: 403,
    message: 'You are already logged in on another device. Please logout from the other device first.',
  },
  ACCOUNT_CLOSING: { status: 403, message: 'This account is being closed. You can keep it until then.' },

  NOT_FOUND: { status: 404, message: 'Not found.' },
  PRODUCT_NOT_FOUND: { status: 404, message: 'This product or duration is not for sale.' },
  PLAN_NOT_FOUND: { status: 404, message: 'This top-up plan is not available any more.' },

  ACCOUNT_TAKEN: { status: 409, message: 'That email or username is already taken.' },
  NAME_TAKEN: { status: 409, message: 'A product with this name already exists.' },
  ADMIN_TAKEN: { status: 409, message: 'An admin with this username already exists.' },
  LAST_OWNER: { status: 409, message: 'A store needs an owner: make another admin owner first.' },
  ALREADY_ENROLLED: { status: 409, message: 'Your second factor is set up already.' },
  NOT_ENROLLED: { status: 409, message: 'There is no second factor to confirm or turn off.' },
  CODE_TAKEN: { status: 409, message: 'This referral code already exists.' },
  KEY_EXISTS: { status: 409, message: 'This key is already in stock or sold.' },
  KEY_SOLD: { status: 409, message: 'A sold key can be neither edited nor deleted.' },
  BATCH_TOUCHED: { status: 409, message: 'Keys of this batch were sold or edited since, so it cannot be undone.' },
  BATCH_UNDONE: { status: 409, message: 'This batch was undone already.' },
  INSUFFICIENT_BALANCE: { status: 409, message: 'Low balance! Please add money to your wallet.' },
  OUT_OF_STOCK: { status: 409, message: 'OUT OF STOCK for this product/duration' },
  INVALID_PRICE: { status: 409, message: 'This duration has no price and cannot be bought.' },
  PRICE_CHANGED: { status: 409, message: 'The price has changed. Look at it, and buy again.' },
  PLAN_CHANGED: { status: 409, message: 'The plan has changed. Look at it, and submit again.' },
  PAYMENTS_OFF: { status: 409, message: 'The admin is offline. Money cannot be added right now.' },
  UTR_ALREADY_USED: { status: 409, message: 'This UTR has already been submitted.' },
  TOO_MANY_PENDING: {
    status: 409,
    message: 'You have several requests waiting. Please wait for the admin to check them.',
  },
  BALANCE_LEFT: { status: 409, message: 'There is money in your wallet. Spend it first, or ask the store about it.' },
  REQUEST_PENDING: { status: 409, message: 'A top-up request is waiting. Please wait until the store has decided it.' },
  ACCOUNT_NOT_CLOSING: { status: 409, message: 'This account is not being closed.' },
  NOT_PENDING: { status: 409, message: 'This payment has already been decided.' },

  PAYLOAD_TOO_LARGE: { status: 413, message: 'That is too much at once.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Please send JSON.' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: 'This Idempotency-Key was used for a different order.' },
  RATE_LIMITED: { status: 429, message: 'Too many tries. Please wait a little and try again.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The store is busy for a moment. Please try again.' },
} as const satisfies Record<string, { status: number; message: string }>

export type RefusalCode = keyof typeof refusals

export function refusalStatus(code: RefusalCode): number {
  return refusals[code].status
}

export function refusalMessage(code: RefusalCode): string {
  return refusals[code].message
}

export const REFUSAL_CODES = Object.keys(refusals) as RefusalCode[]

interface RefusalExtras {
  /** Said instead of the code's own text. */
  message?: string
  /** Field name → what is wrong with it, fit to be shown beside the field. */
  fields?: Record<string, string>
  /** Further members of the answer's body, such as `shortfall` in rupees. */
  details?: Record<string, unknown>
  /** Milliseconds until it is worth trying again; sent as `Retry-After`. */
  retryAfterMs?: number
}

/** An expected "no". Throwing it inside a transaction undoes the transaction. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly code: RefusalCode,
    readonly extras: RefusalExtras = {},
  ) {
    super(extras.message ?? refusals[code].message)
  }
}
