import { useQuery } from '@tanstack/react-query'
import { LANGUAGES, suffixOf } from '../../../../contract/languages.ts'
import { OTHER_LANGUAGES as CODES } from '../../../../contract/owner-texts.ts'
import { client } from '../../../platform/calls/client.ts'
import { queryClient } from '../../../platform/calls/queries.ts'

/** The languages in which an owner may write, besides English. `nameHi` is `name` with the suffix of Hindi. */
export const OTHER_LANGUAGES = CODES.map((code) => ({ code, language: LANGUAGES[code], suffix: suffixOf(code) }))

const QUERY = ['settings', 'store']

/** Texts of the settings in other languages, whose English text has changed since. */
export const useOutdatedTexts = () =>
  useQuery({ queryKey: QUERY, queryFn: ({ signal }) => client.settings.store({}, { signal }) }).data?.outdated

/** After a save. */
export const readOutdatedAgain = (): void => void queryClient.invalidateQueries({ queryKey: QUERY })
