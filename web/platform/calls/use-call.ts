/** Calls that change something. What they make stale stands in the contract (contract/live.ts). */
import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Client } from '../../../contract/client.ts'
import { MAKE_NOTHING_STALE, STALE_AFTER, type CallName } from '../../../contract/live.ts'
import { client } from './client.ts'
import { queryClient } from './queries.ts'

type Call<N> = N extends `${infer F extends keyof Api}.${infer C}`
  ? Extract<Client<Api>[F][C & keyof Client<Api>[F]], (input: never) => unknown>
  : never
type Taken<N> = Parameters<Call<N>>[0]
/** What a call takes. Where no field is required it can be made with nothing. */
export type CallInput<N> = undefined extends Taken<N> ? Taken<N> | void : Taken<N>
type CallAnswer<N> = Awaited<ReturnType<Call<N>>>

type Options<Input, Answer> = Pick<
  UseMutationOptions<Answer, Error, Input>,
  'mutationKey' | 'onSuccess' | 'onError' | 'onSettled' | 'scope'
>

/**
 * Refetches what a call of this feature has made stale. After a success the caller waits for the new answers. A failure
 * shows at once.
 */
export function renew(feature: keyof Api, failure?: Error | null): Promise<unknown> | undefined {
  const stale = STALE_AFTER[feature] ?? [feature]
  const renewed = Promise.all(stale.map((each) => queryClient.invalidateQueries({ queryKey: [each] })))
  return failure ? undefined : renewed
}

/** For a change that is more than one call. */
export const useChange = <Input, Answer>(
  feature: keyof Api,
  send: (input: Input) => Promise<Answer>,
  options: Options<Input, Answer> = {},
): UseMutationResult<Answer, Error, Input> =>
  useMutation({
    mutationFn: (input: Input) => send(input),
    onSettled: (_answer, failure) => renew(feature, failure),
    ...options,
  })

export function callOf<N extends CallName>(name: N): (input: CallInput<N>) => Promise<CallAnswer<N>> {
  const [feature, call] = name.split('.') as [keyof Api, string]
  const calls: Readonly<Record<string, unknown>> = client[feature]
  return calls[call] as (input: CallInput<N>) => Promise<CallAnswer<N>>
}

/** `const block = useCall('users.block')`, then `block.mutate({ id, reason })` */
export const useCall = <N extends CallName>(name: N, options: Options<CallInput<N>, CallAnswer<N>> = {}) =>
  useChange<CallInput<N>, CallAnswer<N>>(name.split('.')[0] as keyof Api, callOf(name), {
    mutationKey: [name],
    ...(MAKE_NOTHING_STALE.has(name) && { onSettled: () => undefined }),
    ...options,
  })
