import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/dashboard',
    controls: [
      ['button', 'Save notice', api.settings.saveNotice],
      ['button', 'Save name and title', api.settings.saveSite],
      ['button', 'Save UPI ID', api.settings.saveUpi],
      ['switch', /^Accept payments/, api.settings.saveUpi],
      ['button', 'Force refresh', api.settings.refreshVersion],
    ],
  },
  {
    path: '/admin/settings',
    controls: [
      ['button', 'Save', api.settings.saveStore],
      ['switch', /^Verified merchant/, api.settings.saveStore],
      ['switch', /^Auto-buy for waiting buyers/, api.waiting.saveSettings],
      ['button', 'Download a backup', api.backup.download],
    ],
  },
  {
    path: '/admin/settings/face',
    controls: [['button', 'Save colour and headline', api.settings.saveFace]],
  },
]
