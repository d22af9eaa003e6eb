import { useQuery } from '@tanstack/react-query'
import { client } from '../../../platform/calls/client.ts'
import { queryClient } from '../../../platform/calls/queries.ts'

const QUERY = ['settings', 'store']

/** Texts of the settings in other languages, whose English text has changed since. */
export const useOutdatedTexts = () =>
  useQuery({ queryKey: QUERY, queryFn: ({ signal }) => client.settings.store({}, { signal }) }).data?.outdated

/** After a save. */
export const readOutdatedAgain = (): void => void queryClient.invalidateQueries({ queryKey: QUERY })
