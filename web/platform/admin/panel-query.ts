import type { Api } from '../../../contract/api.ts'
import type { CallOptions } from '../../../contract/client.ts'
import type { AnswerTo, PanelQuery } from '../../../contract/panel-pages.ts'
import { client } from '../calls/client.ts'

type AnyCall = (input: object, options: CallOptions) => Promise<unknown>

/** A query that a page may bring with it: `useQuery({ ...panelQuery(pendingCount), select: ({ total }) => total })` */
export const panelQuery = <F extends keyof Api, C extends keyof Api[F] & string>(query: PanelQuery<F, C>) => ({
  queryKey: query.key,
  queryFn: ({ signal }: { signal: AbortSignal }) => {
    const ask = (client[query.feature] as unknown as Record<C, AnyCall>)[query.call]
    return ask(query.input, { signal }) as Promise<AnswerTo<F, C>>
  },
})
