import type { groups } from '../../contract/groups.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { listGroups } from './groups.ts'
import { createGroup, removeGroup, updateGroup } from './save-group.ts'

export const groupRoutes = (services: Services): Handlers<typeof groups> => ({
  list: (_, { now }) => listGroups(services.db, now),
  create: (terms, call) => createGroup(services, terms, call),
  update: (change, call) => updateGroup(services, change, call),
  remove: (input, call) => removeGroup(services, input, call),
})
