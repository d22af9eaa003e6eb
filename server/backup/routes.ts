import type { backup } from '../../contract/backup.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { downloadBackup } from './download-backup.ts'

export const backupRoutes = (services: Services): Handlers<typeof backup> => ({
  download: ({ passphrase }, call) => downloadBackup(services, passphrase, call),
})
