import { useEffect } from 'react'
import { useSite } from '../calls/site.ts'

/** Names the browser tab: "My keys · Chaabi". A page without a title shows the site's own. */
export function usePageTitle(title?: string): void {
  const { websiteName, websiteTitle } = useSite()
  useEffect(() => {
    document.title = title ? `${title} · ${websiteName}` : websiteTitle
  }, [title, websiteName, websiteTitle])
}
