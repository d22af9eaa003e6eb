/** Keeps the offline page. Runs last, when the page is idle. */
export function keepOfflinePage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Skips the panel: Trusted Types forbid a plain script address there, and admins need no offline page.
  if (location.pathname.startsWith('/admin')) return
  const soon = () =>
    setTimeout(() => void navigator.serviceWorker.register('/sw.js').catch(() => undefined), REGISTER_AFTER_MS)
  // The script of a drawn page yields, so everything may have loaded already.
  if (document.readyState === 'complete') soon()
  else addEventListener('load', soon)
}

const REGISTER_AFTER_MS = 4_000
