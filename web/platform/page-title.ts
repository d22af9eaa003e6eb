import { useEffect } from 'react'
import { useSite } from './site.ts'

/** Names the browser tab: "My keys · Chaabi"; the site's own title where a page has none of its own. */
export function usePageTitle(title?: string): void {
  const { websiteName, websiteTitle } = useSite()
  useEffect(() => {
    document.title = title ? `${title} · ${websiteName}` : websiteTitle
  }, [title, websiteName, websiteTitle])
}
