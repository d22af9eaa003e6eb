import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  { path: '/admin/guide', call: api.reports.guide, controls: [] },
  { path: '/admin/audit', call: api.reports.audit, controls: [['button', 'Export CSV', api.reports.exportAudit]] },
]
