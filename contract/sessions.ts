import * as z from 'zod/mini'
import { Endpoint } from './messages.ts'
import { ADMIN_ROLES, type Declarations } from './endpoint.ts'
import {
  aboutOne,
  Email,
  KnownEmail,
  Id,
  LoginName,
  Message,
  NewPassword,
  Password,
  TermsVersion,
  Username,
} from './fields.ts'
import { LANGUAGE_CODES } from './languages.ts'
import { bareCode, normaliseReferralCode } from './pasted.ts'
import { User, UserSession } from './users.ts'

const Credentials = z.object({ username: LoginName, password: Password })

const needsCookie = z.optional(
  z
    .boolean()
    .check(z.describe('Refuses a browser that sends no device cookie, because it would keep no session. Ours asks so')),
)

export const Registration = z.object({
  email: Email,
  username: Username,
  password: NewPassword,
  referralCode: z
    .string({ error: 'Referral code is required' })
    .check(
      z.overwrite(normaliseReferralCode),
      z.minLength(1, { error: 'Referral code is required' }),
      z.maxLength(64, { error: 'Invalid referral code' }),
    ),
})

/** The form as sent, with the terms that it showed. */
export const AgreedRegistration = z.extend(Registration, { termsVersion: TermsVersion })

export const PasswordChange = z.object({ currentPassword: Password, newPassword: NewPassword })

/** A device on which an account is, or was, logged in. */
export const OwnSession = z.extend(UserSession, {
  current: z.boolean().check(z.describe('The session of this call')),
})
export type OwnSession = z.output<typeof OwnSession>

export const sessions = {
  register: {
    route: 'POST /auth/register',
    access: 'public',
    summary:
      'Creates an account. Counts the referral code and credits its reward in the same transaction. A buyer’s code ' +
      'for friends credits nothing yet.',
    status: 201,
    input: AgreedRegistration,
    output: Message,
    refusals: ['ACCOUNT_TAKEN', 'INVALID_REFERRAL', 'REFERRAL_USED_UP'],
    limit: 'register',
  },
  login: {
    route: 'POST /auth/login',
    access: 'public',
    summary:
      'Opens a session. The first device to log in gets the device lock until logout or reset. A device that came ' +
      'without its cookie has to show it within two minutes.',
    input: z.extend(Credentials, { needsCookie }),
    output: z.object({ message: z.string(), user: User }),
    refusals: ['COOKIES_NEEDED', 'WRONG_CREDENTIALS', 'ACCOUNT_BLOCKED', 'ACCOUNT_CLOSING', 'DEVICE_ALREADY_LOGGED_IN'],
    limit: 'login',
  },
  resetDeviceLock: {
    route: 'POST /auth/reset-device-lock',
    access: 'public',
    summary: 'Resets the device lock 24 hours after it was set, and ends the old device’s session.',
    input: Credentials,
    output: z.object({ message: z.string(), success: z.literal(true) }),
    refusals: ['WRONG_CREDENTIALS', 'ACCOUNT_BLOCKED', 'RESET_COOLDOWN', 'NO_DEVICE_LOCK'],
    limit: 'reset-device',
  },
  me: {
    route: 'GET /auth/me',
    access: 'user-or-admin',
    summary: 'Returns the logged-in user; with only an admin session, the admin in the same shape.',
    output: User,
  },
  logout: {
    route: 'POST /auth/logout',
    access: 'public',
    summary: 'Ends the session and resets the device lock. Returns 200 in every state of the session.',
    output: Message,
    clearsSiteData: true,
  },
  changePassword: {
    route: 'POST /auth/change-password',
    access: 'user',
    summary:
      'Changes the password. Ends every other session of the account, reset links, and phone messages, except to the ' +
      'browser with this `endpoint`.',
    input: z.extend(PasswordChange, { endpoint: z.optional(Endpoint) }),
    output: Message,
    refusals: ['WRONG_PASSWORD'],
    limit: 'login',
  },
  list: {
    route: 'GET /auth/sessions',
    access: 'user',
    summary: 'Lists the caller’s open sessions, newest first.',
    output: z.object({ sessions: z.array(OwnSession) }),
  },
  end: {
    route: 'DELETE /auth/sessions/{id}',
    access: 'user',
    summary: 'Ends one of the caller’s sessions, like logging out on that device.',
    ...aboutOne,
  },
  resetPassword: {
    route: 'POST /auth/reset-password',
    access: 'public',
    summary: 'Sets a new password with a password reset link from an admin. The link works once. Ends every session.',
    input: z.object({ token: z.string().check(z.overwrite(bareCode), z.maxLength(100)), newPassword: NewPassword }),
    output: Message,
    refusals: ['RESET_LINK_INVALID'],
    limit: 'reset-password',
  },
  proveEmail: {
    route: 'POST /auth/prove-email',
    access: 'user',
    summary:
      'Sends a link to the caller’s e-mail address, to show that its mail is read. Three times a day at most, and ' +
      'five times to one mailbox.',
    output: Message,
    refusals: ['CHANNEL_OFF'],
  },
  emailProven: {
    route: 'POST /auth/email-proven',
    access: 'public',
    summary:
      'Confirms an e-mail address by the secret of a link that was sent there, within 3 days. Again it says the same.',
    input: z.object({ token: z.string().check(z.overwrite(bareCode), z.maxLength(100)) }),
    output: Message,
    refusals: ['RESET_LINK_INVALID'],
    limit: 'reset-password',
  },
  forgotPassword: {
    route: 'POST /auth/forgot-password',
    access: 'public',
    summary:
      'Sends a password reset link to a confirmed address, three times an hour and five times a day at most. The ' +
      'answer is the same for every address.',
    input: z.object({ email: KnownEmail }),
    output: Message,
    refusals: ['CHANNEL_OFF'],
    limit: 'forgot-password',
  },
  corsTest: {
    route: 'GET /cors-test',
    access: 'public',
    summary: 'Answers, so that a client can tell whether it reaches the store.',
    output: z.object({ success: z.literal(true), message: z.string() }),
  },
  adminLogin: {
    route: 'POST /admin/login',
    access: 'public',
    summary: 'Opens an admin session, beside any user session.',
    input: z.object({
      username: LoginName,
      password: Password,
      // Takes blanks anywhere in a recovery code. A longer text is a wrong code like any other
      totp: z.optional(z.string().check(z.overwrite(bareCode), z.maxLength(1_024))),
      canProve: z.optional(
        z
          .boolean()
          .check(z.describe('The client asks its admin for a proof where a call returns STEP_UP_REQUIRED. Ours does')),
      ),
      needsCookie,
    }),
    output: z.object({
      message: z.string(),
      admin: z.object({ id: Id, username: z.string(), isAdmin: z.literal(true) }),
    }),
    refusals: ['COOKIES_NEEDED', 'WRONG_CREDENTIALS', 'TOTP_REQUIRED', 'TOTP_INVALID'],
    limit: 'admin-login',
  },
  adminCheck: {
    route: 'GET /admin/check',
    // Not 'admin', because everyone else, also a signed-in user, gets a 401 with `isLoggedIn: false`
    access: 'anyone',
    summary: 'Tells whether the admin session is open. Has no side effect.',
    output: z.object({
      isLoggedIn: z.literal(true),
      admin: z.object({
        id: Id,
        username: z.string(),
        role: z.enum(ADMIN_ROLES),
        language: z.optional(z.enum(LANGUAGE_CODES)).check(z.describe('Absent until the admin chooses one')),
        hasSecondFactor: z.boolean(),
        hasGivenPassword: z
          .boolean()
          .check(z.describe('The password is temporary (set by the store or another admin)')),
      }),
      secondFactorRequired: z.boolean().check(z.describe('The store requires two-step verification for all admins')),
    }),
    refusals: ['NO_SESSION'],
  },
  adminLogout: {
    route: 'POST /admin/logout',
    access: 'public',
    summary: 'Ends the admin session on the server. Returns 200 in every state of the session.',
    output: Message,
    clearsSiteData: true,
  },
} as const satisfies Declarations
