import * as z from 'zod/mini'
import { ADMIN_ROLES, type Declarations } from './endpoint.ts'
import { aboutOne, Flag, Id, Message, Moment, newPassword, Password, Username } from './fields.ts'
import { ADMIN_PASSWORD_LENGTH_MIN } from './limits.ts'
import { Endpoint } from './messages.ts'
import { bareCode } from './pasted.ts'
import { OwnSession } from './sessions.ts'

const Role = z.enum(ADMIN_ROLES, { error: 'Choose a role' })

/** Longer than a buyer's password, because an admin's opens the whole store. */
const NewAdminPassword = newPassword(ADMIN_PASSWORD_LENGTH_MIN)

/** Six digits of the authenticator app, or a recovery code. */
const Code = z
  .string({ error: 'Enter the code' })
  .check(z.overwrite(bareCode), z.minLength(1, { error: 'Enter the code' }), z.maxLength(40))

export const Admin = z.object({
  _id: Id,
  username: z.string(),
  role: Role,
  hasSecondFactor: z.boolean(),
  createdAt: Moment,
  disabledAt: z.nullable(Moment),
  lastSeenAt: z.nullable(Moment),
})
export type Admin = z.output<typeof Admin>

export const SecurityAlert = z.object({
  _id: Id,
  kind: z.enum(['upi', 'owner']).check(z.describe('Another UPI ID, or a new owner')),
  at: Moment,
  by: z.string().check(z.describe('The admin who changed it')),
  before: z.string().check(z.describe('The UPI ID before, or the admin’s role before; empty for none')),
  after: z.string().check(z.describe('The UPI ID now, or the new owner’s username')),
})
export type SecurityAlert = z.output<typeof SecurityAlert>

/** Admins' accounts, and the changes that admins make to their own. */
export const admins = {
  list: {
    route: 'GET /admin/admins',
    access: 'admin',
    roles: [],
    summary: 'The admins of the store, oldest first.',
    output: z.object({ admins: z.array(Admin) }),
  },
  create: {
    route: 'POST /admin/admins',
    access: 'admin',
    summary: 'Adds an admin.',
    status: 201,
    input: z.object({ username: Username, password: NewAdminPassword, role: Role }),
    output: Admin,
    refusals: ['ADMIN_TAKEN', 'STEP_UP_REQUIRED'],
  },
  update: {
    route: 'PUT /admin/admins/{id}',
    access: 'admin',
    summary:
      'Changes an admin’s role or password, disables or enables the account, or turns two-step verification off. ' +
      'Omitted fields don’t change. Ends that admin’s sessions. To change your own password, use ' +
      '`/admin/change-password`.',
    input: z.object({
      id: Id,
      role: z.optional(Role),
      password: z.optional(NewAdminPassword),
      disabled: z.optional(Flag),
      removeSecondFactor: z.optional(z.literal(true)),
    }),
    output: Admin,
    refusals: ['NOT_FOUND', 'LAST_OWNER', 'STEP_UP_REQUIRED'],
  },
  changePassword: {
    route: 'POST /admin/change-password',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary:
      'Changes the caller’s password. Ends their other sessions, and all that they opened: phone messages, except to ' +
      'the browser with this `endpoint`, Telegram chats, and reset links and codes that wait.',
    input: z.object({ currentPassword: Password, newPassword: NewAdminPassword, endpoint: z.optional(Endpoint) }),
    output: Message,
    refusals: ['WRONG_PASSWORD'],
    limit: 'admin-login',
  },
  stepUp: {
    route: 'POST /admin/step-up',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary: 'Confirms the admin’s identity with a password or code. Valid for 10 minutes.',
    input: z.object({ password: z.optional(Password), totp: z.optional(Code) }).check(
      z.refine(({ password, totp }) => (password === undefined) !== (totp === undefined), {
        error: 'Enter your password or a code',
      }),
    ),
    output: z.object({ message: z.string(), provenUntil: Moment }),
    refusals: ['WRONG_PASSWORD', 'WRONG_CODE'],
    limit: 'admin-login',
  },
  enrol: {
    route: 'POST /admin/totp/enrol',
    access: 'admin',
    roles: ADMIN_ROLES,
    beforeEnrolment: true,
    summary: 'Returns a new setup key for an authenticator app. Login asks for a code only after the key is confirmed.',
    input: z.object({ password: Password }),
    output: z.object({
      secret: z.string().check(z.describe('Setup key in base32, for typing')),
      uri: z.string().check(z.describe('otpauth://… link, for a QR code')),
    }),
    refusals: ['WRONG_PASSWORD', 'ALREADY_ENROLLED'],
    limit: 'admin-login',
  },
  confirm: {
    route: 'POST /admin/totp/confirm',
    access: 'admin',
    roles: ADMIN_ROLES,
    beforeEnrolment: true,
    summary: 'Turns two-step verification on with a first code. Returns the recovery codes, once.',
    input: z.object({ totp: Code }),
    output: z.object({ message: z.string(), recoveryCodes: z.array(z.string()) }),
    refusals: ['WRONG_CODE', 'NOT_ENROLLED'],
    limit: 'admin-login',
  },
  renewRecoveryCodes: {
    route: 'POST /admin/totp/recovery-codes',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary: 'Replaces the recovery codes. Returns the new codes, once.',
    output: z.object({ message: z.string(), recoveryCodes: z.array(z.string()) }),
    refusals: ['STEP_UP_REQUIRED', 'NOT_ENROLLED'],
    limit: 'admin-login',
  },
  disable: {
    route: 'POST /admin/totp/disable',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary: 'Turns two-step verification off.',
    input: z.object({ password: Password, totp: Code }),
    output: Message,
    refusals: ['WRONG_PASSWORD', 'WRONG_CODE', 'NOT_ENROLLED'],
    limit: 'admin-login',
  },
  active: {
    route: 'POST /admin/active',
    access: 'admin',
    roles: ADMIN_ROLES,
    beforeEnrolment: true,
    summary: 'Keeps the admin’s session alive. The panel calls it when a person opens another page.',
    output: Message,
  },
  alerts: {
    route: 'GET /admin/alerts',
    access: 'admin',
    summary: 'Changes of the last 72 hours that move all payments or the whole store, until an owner answers for them.',
    output: z.object({ alerts: z.array(SecurityAlert) }),
  },
  confirmAlert: {
    route: 'PUT /admin/alerts/{id}/confirm',
    access: 'admin',
    summary: 'Says that a change was meant, for all admins. A new owner can’t. Every owner gets a message.',
    ...aboutOne,
    refusals: [...aboutOne.refusals, 'STEP_UP_REQUIRED', 'NEW_OWNER'],
  },
  undoAlert: {
    route: 'PUT /admin/alerts/{id}/undo',
    access: 'admin',
    summary: 'Restores the previous UPI ID, or takes the role from the new owner. A new owner can’t.',
    ...aboutOne,
    refusals: [...aboutOne.refusals, 'STEP_UP_REQUIRED', 'NEW_OWNER'],
  },
  sessions: {
    route: 'GET /admin/sessions',
    access: 'admin',
    summary: 'Lists the caller’s open admin sessions, newest first.',
    output: z.object({ sessions: z.array(OwnSession) }),
  },
  endSession: {
    route: 'DELETE /admin/sessions/{id}',
    access: 'admin',
    roles: ADMIN_ROLES,
    summary: 'Ends one of the caller’s admin sessions.',
    ...aboutOne,
  },
} as const satisfies Declarations
