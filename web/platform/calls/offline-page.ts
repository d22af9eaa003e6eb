import { trusted } from '../trusted-address.ts'
import { getBoot } from './boot.ts'

/** Keeps the offline page, in the store's colour. Runs last, when the page is idle. */
export function keepOfflinePage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Admins need no offline page, but an installed panel is where other apps share statements
  if (location.pathname.startsWith('/admin') && !matchMedia('(display-mode: standalone)').matches) return
  const keep = async () => {
    await registerWorker()
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage({ accent: getBoot().site.accent }, [])
  }
  const soon = () => setTimeout(() => void keep().catch(() => undefined), REGISTER_AFTER_MS)
  // The script of a drawn page yields, so everything may have loaded already.
  if (document.readyState === 'complete') soon()
  else addEventListener('load', soon)
}

export const registerWorker = () => navigator.serviceWorker.register(trusted('service-worker', '/sw.js'))

const REGISTER_AFTER_MS = 4_000
