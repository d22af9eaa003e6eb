import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { AnswerTo, PanelQuery } from '../../../contract/panel-pages.ts'
import type { CallName } from '../../../contract/live.ts'
import { errorMessage } from '../calls/api-error.ts'
import { callOf, renew, type CallInput } from '../calls/use-call.ts'
import { t } from '../i18n.ts'
import { toast } from '../navigation/toast.ts'

type RowOf<Answer> = Answer extends readonly (infer Row)[] ? Row & { _id: string } : never

/**
 * Changes a row of a list at once, such as its switch, and then tells the server, one change after the other.
 * After a failure the row shows the server's state again, and a message offers another try.
 *
 *   const toggle = useRowChange(referralCodes, 'referrals.update')
 *   toggle(referral, { isActive: false })
 */
export function useRowChange<F extends keyof Api, C extends keyof Api[F] & string, N extends CallName>(
  list: PanelQuery<F, C>,
  name: N,
) {
  type Row = RowOf<AnswerTo<F, C>>
  type Change = Partial<Pick<Row, keyof Row & keyof CallInput<N>>>
  const queries = useQueryClient()
  const { feature, key: queryKey } = list
  const mutationKey = ['row-change', name]
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: name },
    mutationFn: ({ row, change }: { row: Row; change: Change }) =>
      callOf(name)({ id: row._id, ...change } as CallInput<N>),
    async onMutate({ row, change }) {
      await queries.cancelQueries({ queryKey })
      queries.setQueryData<Row[]>(queryKey, (known) =>
        known?.map((each) => (each._id === row._id ? { ...each, ...change } : each)),
      )
    },
    onError(error, tried) {
      const run = () => mutate(tried)
      toast(errorMessage(error), { tone: 'bad', action: { label: t('Retry'), run } })
    },
    // Only the last change refetches. An answer from before it would show the old state for a moment.
    onSettled: (_answer, failure) => (queries.isMutating({ mutationKey }) > 1 ? undefined : renew(feature, failure)),
  })
  return (row: Row, change: Change) => mutate({ row, change })
}

/** The inputs of all of a call's mutations that are under way. A mutation alone knows only its latest. */
export const useUnderWay = <N extends CallName>(name: N) =>
  useMutationState({
    filters: { mutationKey: [name], status: 'pending' },
    select: ({ state }) => state.variables as CallInput<N>,
  })
