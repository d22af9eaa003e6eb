import { useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { CallOptions } from '../../../contract/client.ts'
import type { AnswerTo, PanelQuery } from '../../../contract/panel-pages.ts'
import { client } from '../calls/client.ts'
import { usePollInterval } from '../calls/events.ts'

type AnyCall = (input: object, options: CallOptions) => Promise<unknown>

/** A query that a page may bring with it. */
export const panelQuery = <F extends keyof Api, C extends keyof Api[F] & string>(query: PanelQuery<F, C>) => ({
  queryKey: query.key,
  queryFn: ({ signal }: { signal: AbortSignal }) => {
    const ask = (client[query.feature] as unknown as Record<C, AnyCall>)[query.call]
    return ask(query.input, { signal }) as Promise<AnswerTo<F, C>>
  },
})

interface Options<Answer, Shown> extends Pick<
  UseQueryOptions<Answer, Error, Shown>,
  'enabled' | 'placeholderData' | 'refetchInterval' | 'refetchIntervalInBackground' | 'select'
> {
  /** Asks again so often where events don't get through. */
  pollMs?: number
}

/** `usePanel(bankRules)`, `usePanel(askFor('users', 'sessions', { id }), { select: ({ sessions }) => sessions })` */
export function usePanel<F extends keyof Api, C extends keyof Api[F] & string, Shown = AnswerTo<F, C>>(
  query: PanelQuery<F, C>,
  { pollMs, ...options }: Options<AnswerTo<F, C>, Shown> = {},
): UseQueryResult<Shown> {
  const refetchInterval = usePollInterval(pollMs ?? 0)
  return useQuery({ ...panelQuery(query), ...(pollMs && { refetchInterval }), ...options })
}
