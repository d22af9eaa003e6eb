import { useQuery } from '@tanstack/react-query'
import type { PageData } from '../../../contract/page.ts'
import { getBoot } from './boot.ts'
import { client } from './client.ts'

type Site = PageData['site']

/** Returns the store's name, logo, colour and headline, as the admin set them. */
export function useFace(): Site {
  const site = useQuery({
    queryKey: ['settings', 'site'],
    queryFn: ({ signal }) => client.settings.site({}, { signal }),
    initialData: () => getBoot().site,
    staleTime: Infinity,
  })
  return site.data
}

export const useSite: () => Pick<Site, 'websiteName' | 'websiteTitle'> = useFace
