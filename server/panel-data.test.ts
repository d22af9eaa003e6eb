import { describe, expect, it } from 'vitest'
import { ADMIN_ROLES, mayCall, type AdminRole, type Endpoint } from '../contract/endpoint.ts'
import { api } from '../contract/api.ts'
import { DRAWN_PANEL_PAGES } from '../contract/panel-pages.ts'
import { readPanel } from './panel-data.ts'
import type { AllHandlers } from './page-queries.ts'

/** Answers every call with its own name, and fails those that are named. */
const answering = (failing?: string) =>
  new Proxy({} as AllHandlers, {
    get: (_, feature: string) =>
      new Proxy(
        {},
        {
          get: (_calls, name: string) => (input: object) => {
            if (`${feature}.${name}` === failing) throw new Error('the database is away')
            return Promise.resolve({ call: `${feature}.${name}`, input, [Symbol.iterator]: () => [].values() })
          },
        },
      ),
  })

interface Given {
  role?: AdminRole
  isEnrolled?: boolean
  failing?: string
}

async function read(path: string, search = '', { role = 'owner', ...given }: Given = {}) {
  const call = { log: { debug() {} }, admin: { id: '1' }, now: new Date() } as unknown as Parameters<
    typeof readPanel
  >[1]
  const { isEnrolled = true, failing } = given
  const rights = { role, hasSecondFactor: isEnrolled, secondFactorRequired: true }
  return readPanel(answering(failing), call, { rights, path, search: new URLSearchParams(search) })
}

const callsIn = (queries: Awaited<ReturnType<typeof read>>) =>
  queries.flatMap(([, data]) => (data as { call?: string }).call ?? [])
const endpointOf = (name: string): Endpoint => {
  const [feature, call] = name.split('.')
  return (api as Record<string, Record<string, Endpoint>>)[feature ?? '']?.[call ?? ''] as Endpoint
}

describe('what a page of the panel begins with', () => {
  it.each(ADMIN_ROLES)('for %s holds no answer to a call that the role may not make', async (role) => {
    for (const path of DRAWN_PANEL_PAGES) {
      for (const name of callsIn(await read(path, '', { role }))) expect(mayCall(endpointOf(name), role)).toBe(true)
    }
  })

  it('has the queue for those who may see it, and for nobody else', async () => {
    const isThere = async (role: AdminRole) =>
      callsIn(await read('/admin/payment-manager', '', { role })).includes('payments.list')
    expect(await Promise.all(ADMIN_ROLES.map(isThere))).toEqual([true, true, false, true, true])
  })

  it('is nothing before a two-step verification that the store asks for', async () => {
    for (const path of DRAWN_PANEL_PAGES) expect(await read(path, '', { isEnrolled: false })).toEqual([])
  })

  it('is what the address asks for, read as the call reads it', async () => {
    const [key, asked] =
      (await read('/admin/payment-manager', 'status=approved&page=2&search=+diya+')).find(
        ([[feature, name, input]]) => feature === 'payments' && name === 'list' && typeof input === 'object',
      ) ?? []
    expect(key?.[2]).toEqual({ search: ' diya ', limit: 10, skip: 20, order: 'newest', status: 'approved' })
    expect(asked).toMatchObject({ input: { search: 'diya', skip: 20, status: 'approved' } })
  })

  it('lacks what the call would refuse or could not answer, and has the rest', async () => {
    const refused = await read('/admin/purchases', 'from=yesterday')
    expect(callsIn(refused)).not.toContain('orders.purchases')
    const failed = callsIn(await read('/admin/user-manager', '', { failing: 'users.list' }))
    expect(failed).not.toContain('users.list')
    expect(failed).toContain('reports.guide')
  })
})
