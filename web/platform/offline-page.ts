/** Keeps the page for when there is no network. Asked for last, when the page has nothing better to do. */
export function keepOfflinePage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // The panel's pages take no text for a script's address (Trusted Types), and an admin needs no page without network.
  if (location.pathname.startsWith('/admin')) return
  const soon = () =>
    setTimeout(() => void navigator.serviceWorker.register('/sw.js').catch(() => undefined), REGISTER_AFTER_MS)
  // A drawn page's script gives way to the page, and may come when all has loaded already.
  if (document.readyState === 'complete') soon()
  else addEventListener('load', soon)
}

const REGISTER_AFTER_MS = 4_000
