import { inject } from 'vitest'
import { administer } from '../../engine.ts'
import type { Places, Roles } from '../../leaks/places.ts'
import { withStore } from '../../store.ts'
import type { Walk } from '../walk.ts'

const AUDITORS: Roles = ['owner', 'read-only']
/** The log's subjects are named, and a change of prices has the prices. */
const LOG: Places = { username: AUDITORS, 'own price': AUDITORS, instructions: AUDITORS }

export const reports: Walk<'reports'> = {
  succeed: {
    stats: (shop) => shop.owner.get('/admin/stats'),
    healthReport: (shop) => shop.owner.get('/admin/health-report'),
    guide: (shop) => shop.owner.get('/admin/guide'),
    overview: (shop) => shop.owner.get('/admin/overview?days=30'),
    audit: (shop) => shop.owner.get('/admin/audit?limit=20&from=2026-01-01&to=2027-01-01'),
    exportAudit: (shop) => shop.owner.get('/admin/audit/export?action=payment&search=owner'),
    health: (shop) => shop.visitor().get('/health'),
    metrics: (shop) => shop.visitor().get('/metrics'),
    openapi: (shop) => shop.visitor().get('/openapi.json'),
    docs: async (shop) => {
      const cookie = [...shop.owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(`${shop.store.url}/api/docs`, { headers: { cookie } })
      return { status: response.status, headers: response.headers, body: await response.text() }
    },
    events: async (shop) => {
      const buyer = await shop.buyer()
      const ending = new AbortController()
      const response = await fetch(`${shop.store.url}/api/events`, {
        headers: { cookie: [...buyer.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        signal: ending.signal,
      })
      ending.abort()
      return { status: response.status, headers: response.headers, body: undefined }
    },
  },
  refuse: {
    metrics: {
      OPERATOR_REQUIRED: (shop) =>
        shop.visitor().call('GET', '/metrics', undefined, { 'x-forwarded-for': '203.0.113.7' }),
    },
    health: {
      SERVICE_UNAVAILABLE: () =>
        withStore(async (store) => {
          await administer(
            inject('engine').connection,
            `alter database ${store.databaseName} with allow_connections false`,
          )
          await administer(
            inject('engine').connection,
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${store.databaseName}'`,
          )
          await store.browser().get('/health')
          return store.browser().get('/health')
        }),
    },
  },
  shows: {
    // A top-up is named by its buyer and its UTR, a buyer by name and e-mail: these roles see both among the payments
    audit: { ...LOG, 'e-mail': AUDITORS, UTR: AUDITORS },
    exportAudit: LOG,
  },
}
