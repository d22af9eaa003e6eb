/** Keeps the page for when there is no network. Asked for last, when the page has nothing better to do. */
export function keepOfflinePage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  addEventListener('load', () => {
    setTimeout(() => void navigator.serviceWorker.register('/sw.js').catch(() => undefined), REGISTER_AFTER_MS)
  })
}

const REGISTER_AFTER_MS = 4_000
