import type { privacy } from '../../contract/privacy.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { closeAccount, keepAccount } from './close-account.ts'
import { readMyData, type OwnData } from './my-data.ts'

export const privacyRoutes = (services: Services, own: OwnData): Handlers<typeof privacy> => ({
  myData: (_, call) => readMyData(services, call, own),
  closeAccount: ({ password }, call) => closeAccount(services, password, call),
  keepAccount: (credentials, call) => keepAccount(services, credentials, call),
})
