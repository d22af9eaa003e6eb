import { unproven } from '../../worlds/admins.ts'
import type { Walk } from '../walk.ts'

const passphrase = 'four words and a sign'

export const backup: Walk<'backup'> = {
  succeed: { download: (shop) => shop.owner.post('/backup', { passphrase }) },
  refuse: {
    download: { STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).post('/backup', { passphrase }) },
  },
}
