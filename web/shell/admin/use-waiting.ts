import { useEffect } from 'react'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useSession } from '../../platform/session/session.ts'
import { formatCount } from '../../platform/money.ts'
import { usePendingCount } from '../../payments/admin/requests/queries.ts'

/** Returns how many payments wait, and shows it outside of the page: in the tab's title and on the app's icon. */
export function useWaiting(): number {
  const { admin } = useSession()
  const waiting = usePendingCount(admin !== null && !admin.mustEnrol && !denied(calls.payments.list)) ?? 0
  const isSignedIn = admin !== null
  useEffect(() => markTitle(waiting), [waiting])
  useEffect(() => {
    // A browser without badges, or one that refuses them, shows none
    void (isSignedIn && waiting > 0 ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.())?.catch(() => {})
  }, [waiting, isSignedIn])
  return waiting
}

/** "(3) Payments · Chaabi". Screens set their own title, and may do so later. @returns ends it */
function markTitle(waiting: number): () => void {
  const plain = () => document.title.replace(/^\([\d,]+\) /, '')
  const mark = () => {
    const marked = waiting > 0 ? `(${formatCount(waiting)}) ${plain()}` : plain()
    if (document.title !== marked) document.title = marked
  }
  mark()
  const title = document.querySelector('title')
  const observer = new MutationObserver(mark)
  if (title) observer.observe(title, { childList: true, characterData: true, subtree: true })
  return () => {
    observer.disconnect()
    document.title = plain()
  }
}

/** A browser that installs the page now installs the panel and not the store. */
export function usePanelManifest(): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')
    const before = link?.getAttribute('href')
    link?.setAttribute('href', '/admin.webmanifest')
    return () => {
      if (before) link?.setAttribute('href', before === '/admin.webmanifest' ? '/manifest.webmanifest' : before)
    }
  }, [])
}
