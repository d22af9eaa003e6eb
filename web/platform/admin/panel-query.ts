import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { CallOptions } from '../../../contract/client.ts'
import type { AnswerTo, PanelQuery } from '../../../contract/panel-pages.ts'
import { client } from '../calls/client.ts'
import { usePollInterval } from '../calls/events.ts'

type AnyCall = (input: object, options: CallOptions) => Promise<unknown>

/** A query that a page may bring with it: `useQuery({ ...panelQuery(pendingCount), select: ({ total }) => total })` */
export const panelQuery = <F extends keyof Api, C extends keyof Api[F] & string>(query: PanelQuery<F, C>) => ({
  queryKey: query.key,
  queryFn: ({ signal }: { signal: AbortSignal }) => {
    const ask = (client[query.feature] as unknown as Record<C, AnyCall>)[query.call]
    return ask(query.input, { signal }) as Promise<AnswerTo<F, C>>
  },
})

/** The same, kept fresh by events, or by asking where they don't get through. A list keeps its page until the next. */
export const usePanel = <F extends keyof Api, C extends keyof Api[F] & string>(
  query: PanelQuery<F, C>,
  pollIntervalMs: number,
): UseQueryResult<AnswerTo<F, C>> =>
  useQuery({
    ...panelQuery(query),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(pollIntervalMs),
  })
