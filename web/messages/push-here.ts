/** Push messages to this browser: whether it takes them, and turning them on and off. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { registerWorker } from '../platform/calls/offline-page.ts'

/** A browser may hold a buyer's session and an admin's. */
export type PushOwner = 'user' | 'admin'

/** Browsers take messages only over HTTPS, or on the store's own machine. */
export type PushState = 'insecure' | 'unsupported' | 'blocked' | 'off' | 'on'

export const phonesKey = (as: PushOwner) => ['messages', 'phones', as]

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** The push address of this browser, if it has one. A new password leaves its messages on. */
export async function pushAddress(): Promise<string | undefined> {
  if (!isSecureContext || !isSupported()) return undefined
  return (await subscriptionHere().catch(() => null))?.endpoint
}

/**
 * The store knows whether it sends, because a logout or another person's login may have ended it. iPhones take messages
 * only in an installed app, and say until then that they can't.
 */
export async function pushState(as: PushOwner): Promise<PushState> {
  if (!isSecureContext) return 'insecure'
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const subscription = await subscriptionHere()
  if (!subscription) return 'off'
  const { isOn } = await client.messages.pushHere({ endpoint: subscription.endpoint, as })
  return isOn ? 'on' : 'off'
}

/** @throws Error in plain words, because a browser’s own are for developers */
async function subscribe(applicationServerKey: string): Promise<PushSubscription> {
  try {
    await registerWorker()
    const { pushManager } = await navigator.serviceWorker.ready
    return (await subscriptionHere()) ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
  } catch {
    throw new Error(t('This browser can’t receive notifications from this store. Try another browser, or your phone.'))
  }
}

/** @throws ApiError, or Error when the browser says no */
export async function turnPushOn(as: PushOwner): Promise<PushState> {
  const { publicKey } = await client.messages.pushKey({})
  if (publicKey === null) throw new Error(t('Phone notifications are turned off in this store.'))
  if ((await Notification.requestPermission()) !== 'granted') return pushState(as)
  const subscription = await subscribe(publicKey)
  const { endpoint, keys } = subscription.toJSON()
  await client.messages.subscribe({
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
    as,
  })
  return 'on'
}

export async function turnPushOff(as: PushOwner): Promise<PushState> {
  const subscription = await subscriptionHere()
  if (subscription) await client.messages.unsubscribe({ endpoint: subscription.endpoint, as })
  return 'off'
}

/** The phones that get the person's messages. */
export const usePhones = (as: PushOwner) =>
  useQuery({
    queryKey: phonesKey(as),
    queryFn: async ({ signal }) => client.messages.phones({ as, endpoint: await pushAddress() }, { signal }),
  })
