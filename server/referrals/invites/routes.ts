import type { invites } from '../../../contract/invites.ts'
import type { Handlers } from '../../platform/http/http.ts'
import type { Services } from '../../platform/services.ts'
import { listInviters } from './list-inviters.ts'
import { readOwnInvites } from './own-invites.ts'
import { readInviteSettings, saveInviteSettings, setInviteTerms } from './terms.ts'

export const inviteRoutes = ({ db }: Pick<Services, 'db'>): Handlers<typeof invites> => ({
  ownInvites: (_, { user, now }) => readOwnInvites(db, user.id, now),
  inviters: (_, { now }) => listInviters(db, now),
  setInviteTerms: (terms, call) => setInviteTerms(db, terms, call),
  inviteSettings: (_, { now }) => readInviteSettings(db, now),
  saveInviteSettings: (change, call) => saveInviteSettings(db, change, call),
})
