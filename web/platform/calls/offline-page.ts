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

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(text: string): string }
}

/** Registers the service worker. On the panel an address needs a policy; this one has a single address. */
export function registerWorker(): Promise<unknown> {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (!location.pathname.startsWith('/admin') || !trustedTypes) return navigator.serviceWorker.register('/sw.js')
  policy ??= trustedTypes.createPolicy('service-worker', { createScriptURL: () => '/sw.js' })
  return navigator.serviceWorker.register(policy.createScriptURL(''))
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

const REGISTER_AFTER_MS = 4_000
