import type { sessions } from '../../contract/sessions.ts'
import type { tokens } from '../../contract/tokens.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { register } from './register.ts'
import { changePassword } from './change-password.ts'
import { checkAdmin } from './admin/check-admin.ts'
import { logInAdmin } from './admin/log-in-admin.ts'
import { logIn } from './log-in.ts'
import { logOut, logOutAdmin } from './log-out.ts'
import { endSession, listSessions } from './own-sessions.ts'
import { endToken, listOwnTokens, makeToken, readOwnToken } from './own-tokens.ts'
import { confirmEmail, forgotPassword, sendEmailProof } from './own-email.ts'
import { readCaller } from './read-caller.ts'
import { resetDeviceLock } from './reset-device-lock.ts'
import { resetPassword } from './reset-password.ts'

export const sessionRoutes = (services: Services): Handlers<typeof sessions & typeof tokens> => ({
  register: (form, call) => register(services, form, call),
  login: (credentials, call) => logIn(services, credentials, call),
  resetDeviceLock: (credentials, call) => resetDeviceLock(services, credentials, call),
  me: (_, call) => readCaller(services, call),
  logout: (_, call) => logOut(services, call),
  changePassword: (passwords, call) => changePassword(services, passwords, call),
  list: async (_, call) => ({ sessions: await listSessions(services.db, call) }),
  end: ({ id }, call) => endSession(services, id, call),
  tokens: async (_, call) => ({ tokens: await listOwnTokens(services.db, call) }),
  ownToken: (_, call) => readOwnToken(services.db, call),
  makeToken: (form, call) => makeToken(services, form, call),
  endToken: ({ id }, call) => endToken(services.db, id, call),
  resetPassword: (reset, call) => resetPassword(services, reset, call),
  proveEmail: (_, call) => sendEmailProof(services, call),
  emailProven: (link, call) => confirmEmail(services, link, call),
  forgotPassword: (asked, call) => forgotPassword(services, asked, call),
  corsTest: () => ({ success: true, message: 'The store can be reached' }),
  adminLogin: (credentials, call) => logInAdmin(services, credentials, call),
  adminCheck: (_, call) => checkAdmin(services.db, call),
  adminLogout: (_, call) => logOutAdmin(services, call),
})
