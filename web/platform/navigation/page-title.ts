import { useEffect } from 'react'
import { useSite } from '../calls/site.ts'
import { own, t } from '../i18n.ts'

/** Names the browser tab: "My keys · Chaabi". A page without a title shows the site's own. */
export function usePageTitle(title?: string): void {
  const site = useSite()
  const { websiteName } = site
  const websiteTitle = t(own(site, 'websiteTitle'))
  useEffect(() => {
    document.title = title ? `${title} · ${websiteName}` : websiteTitle
  }, [title, websiteName, websiteTitle])
}
