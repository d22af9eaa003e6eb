import type { admins } from '../../contract/admins.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { changeAdminPassword } from './change-admin-password.ts'
import { confirm, disable, enrol, renewCodes } from './enrol-second-factor.ts'
import { changeAdmin, createAdmin, listAdmins } from './manage-admins.ts'
import { endOwnAdminSession, listAdminSessions } from './own-admin-sessions.ts'
import { stepUp } from './prove-admin.ts'
import { confirmAlert, listAlerts, undoAlert } from './security-alerts.ts'

export const adminRoutes = (services: Services): Handlers<typeof admins> => ({
  list: async () => ({ admins: await listAdmins(services.db) }),
  create: (admin, call) => createAdmin(services, admin, call),
  update: (change, call) => changeAdmin(services, change, call),
  changePassword: (passwords, call) => changeAdminPassword(services, passwords, call),
  stepUp: (proof, call) => stepUp(services, proof, call),
  enrol: (proof, call) => enrol(services, proof, call),
  confirm: (code, call) => confirm(services, code, call),
  renewRecoveryCodes: (_, call) => renewCodes(services, call),
  disable: (proof, call) => disable(services, proof, call),
  // Does nothing more, because every call except a GET keeps the session
  active: () => ({ message: 'The session is kept' }),
  alerts: async (_, { now }) => ({ alerts: await listAlerts(services.db, now) }),
  confirmAlert: ({ id }, call) => confirmAlert(services, id, call),
  undoAlert: ({ id }, call) => undoAlert(services, id, call),
  sessions: async (_, call) => ({ sessions: await listAdminSessions(services.db, call) }),
  endSession: ({ id }, call) => endOwnAdminSession(services, id, call),
})
