import { useQuery } from '@tanstack/react-query'
import { getBoot } from './boot.ts'
import { client } from './client.ts'

/** Returns the store's name and title, as the admin set them. */
export function useSite(): { websiteName: string; websiteTitle: string } {
  const site = useQuery({
    queryKey: ['settings', 'site'],
    queryFn: ({ signal }) => client.settings.site({}, { signal }),
    initialData: () => getBoot().site,
    staleTime: Infinity,
  })
  return site.data
}
