import type { reports } from '../../contract/reports.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { showApiPage } from '../api-docs/api-page.ts'
import { countStore } from './count-store.ts'
import { hubOf } from '../live/events-route.ts'
import { exportAudit } from '../audit/export-audit.ts'
import { readGuide } from './guide.ts'
import { checkHealth, VERSION } from './health.ts'
import { readHealthReport, type Examination } from './health-report.ts'
import type { AuditNames } from '../audit/audit-names.ts'
import { listAuditInWords } from '../audit/list-audit.ts'
import { openApiDocument } from '../api-docs/openapi.ts'
import { readOverview } from './overview.ts'

/**
 * @param notices returns what this node has noticed in how it is run, in words
 * @param auditNames how each feature names its ids
 */
export const reportRoutes = (
  services: Services,
  notices: () => Promise<Examination>,
  auditNames: AuditNames,
): Handlers<typeof reports> => {
  const hub = hubOf(services)
  return {
    stats: () => countStore(services.db),
    guide: (_, { admin }) => readGuide(services.db, admin.id),
    overview: (window, { now }) => readOverview(services.db, window, now),
    audit: (search) => listAuditInWords(services.db, search, auditNames),
    exportAudit: (search, call) => exportAudit(services.db, search, call),
    healthReport: async (_, { now }) => readHealthReport(services.db, now, await notices()),
    health: () => checkHealth(services),
    metrics: () => services.metrics.write(),
    openapi: () => openApiDocument(VERSION),
    docs: (_, call) => showApiPage(call, openApiDocument(VERSION)),
    events: (_, call) => hub.open(call),
  }
}
