import { watchSteps } from '../clock.ts'
import { queryClient } from './queries.ts'

/** Asks again for what is shown as soon as the network is back. */
export function followNetwork(): void {
  watchSteps(() => void queryClient.refetchQueries({ type: 'active' }, { cancelRefetch: false }))
  addEventListener('online', () => {
    // A first load that waits for its next try would go on waiting
    const isUnanswered = ({ state }: { state: { data: unknown } }) => state.data === undefined
    void queryClient
      .cancelQueries({ type: 'active', fetchStatus: 'fetching', predicate: isUnanswered }, { silent: true })
      .then(() => queryClient.refetchQueries({ type: 'active' }))
  })
}
