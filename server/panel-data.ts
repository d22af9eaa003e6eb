/**
 * Collects the data that a page of the panel starts with. The handlers of the screen's own calls answer, after the same
 * checks of role and input. Refused calls are left out.
 */
import * as z from 'zod/mini'
import { api } from '../contract/api.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { PageQuery } from '../contract/page.ts'
import { queriesOf, type PanelQuery, type PanelSearch } from '../contract/panel-pages.ts'
import { refuseByRole } from './platform/http/admit.ts'
import type { Call, SessionAdmin } from './platform/http/http.ts'
import { allOf, isRows, rowsOf, type AllHandlers, type Beginning } from './page-queries.ts'

type AdminCall = Call & { admin: SessionAdmin }
type Rights = Parameters<typeof refuseByRole>[1]
type Handler = (input: unknown, call: AdminCall) => unknown

interface Given {
  rights: Rights
  path: string
  search: URLSearchParams
}

/** @returns the queries that the page of this path begins with, for this admin; none where the server draws nothing */
export async function readPanel(
  handlers: AllHandlers,
  call: AdminCall,
  { rights, path, search }: Given,
): Promise<PageQuery[]> {
  const answer = async ({ feature, call: name, input, key, isPaged }: PanelQuery): Beginning => {
    const endpoint = (api as Record<string, Record<string, Endpoint>>)[feature]?.[name]
    const handler = (handlers as Record<string, Record<string, Handler>>)[feature]?.[name]
    if (!endpoint || !handler) throw new Error(`a page begins with ${feature}.${name}, which is no call`)
    try {
      refuseByRole(endpoint, rights)
      const read = z.safeParse(endpoint.input, input)
      const found = read.success ? await handler(read.data, call) : undefined
      const data = isRows(found) ? await rowsOf(found) : found
      return data === undefined ? undefined : [key, isPaged ? { pages: [data], pageParams: [''] } : data]
    } catch (err) {
      // The screen asks for it itself and says what failed
      call.log.debug({ err }, 'a page of the panel comes without an answer')
      return undefined
    }
  }
  const queries = queriesOf(path, readAddress(search), { now: call.now.getTime() }) ?? []
  return allOf(queries.map(answer))
}

/** As the browser sends it, unread: the call's own check refuses what is no input. */
function readAddress(given: URLSearchParams): PanelSearch {
  const { page = '', ...rest } = Object.fromEntries(given)
  return { ...rest, page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 0 }
}
