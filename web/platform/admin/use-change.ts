import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query'
import { errorMessage } from '../calls/api-error.ts'
import { t } from '../i18n.ts'
import { makesStale } from '../calls/queries.ts'
import { toast } from '../navigation/toast.ts'

/** A call that changes something: `useChange(client.admins.create, makesStale(['admins']))` */
export function useChange<Input, Answer>(
  send: (input: Input) => Promise<Answer>,
  onSettled: ReturnType<typeof makesStale>,
): UseMutationResult<Answer, Error, Input> {
  return useMutation({ mutationFn: (input: Input) => send(input), onSettled })
}

interface Options<Row> {
  /** The query that holds the rows, as an array. */
  rows: QueryKey
  /** Tells the server. */
  send: (row: Row, change: Partial<Row>) => Promise<unknown>
  /** Query keys that are stale after it; by default the rows. */
  stale?: QueryKey
}

/**
 * Changes a row of a list at once, such as its switch, and then tells the server, one change after the other.
 * After a failure the row shows the server's state again, and a message offers another try.
 */
export function useRowChange<Row extends { _id: string }>({ rows, send, stale = rows }: Options<Row>) {
  const queries = useQueryClient()
  const mutationKey = ['row-change', ...rows]
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join('/') },
    mutationFn: ({ row, change }: { row: Row; change: Partial<Row> }) => send(row, change),
    async onMutate({ row, change }) {
      await queries.cancelQueries({ queryKey: rows })
      queries.setQueryData<Row[]>(rows, (known) =>
        known?.map((each) => (each._id === row._id ? { ...each, ...change } : each)),
      )
    },
    onError(error, tried) {
      const run = () => mutate(tried)
      toast(errorMessage(error), { tone: 'bad', action: { label: t('Retry'), run } })
    },
    // Only the last change refetches. An answer from before it would show the old state for a moment.
    onSettled: (answer, error) =>
      queries.isMutating({ mutationKey }) > 1 ? undefined : makesStale(stale)(answer, error),
  })
  return (row: Row, change: Partial<Row>) => mutate({ row, change })
}
