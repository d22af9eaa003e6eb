import { navigate } from '../platform/navigation/router.tsx'
import { useEffect, useRef } from 'react'
import { SYNC_POLL_INTERVAL_MS } from '../../contract/limits.ts'
import { STALE, type LiveEvent } from '../../contract/live.ts'
import { getBoot } from '../platform/calls/boot.ts'
import { client } from '../platform/calls/client.ts'
import { useReconnecting } from '../platform/calls/connection.ts'
import { connectEvents, onLiveEvent } from '../platform/calls/event-stream.ts'
import { useLive } from '../platform/calls/events.ts'
import { isSpendingShown } from '../platform/session/own-spending.ts'
import { queryClient } from '../platform/calls/queries.ts'
import { acknowledgeEnd, refreshSession, useSession } from '../platform/session/session.ts'
import { tell } from '../ui/overlays/confirm.ts'

/** The message to admins says "within 1 minute". */
const VERSION_POLL_MS = 30_000
const FOLLOW_UP_MS = 800
/** Longest round, in ms. A call gives up after 20 s, but may be repeated or wait for a person's proof. */
const ROUND_MS_MAX = 30_000

/** Keeps the page current. Draws nothing. */
export function LiveUpdates() {
  useEventStream()
  useSessionPolling()
  useSettingsVersion()
  useSessionEnd()
  useBalanceNotification()
  return null
}

function useEventStream(): void {
  const { user, admin } = useSession()
  const who = user?.id ?? admin?.id
  const drawnFor = useRef(who)
  // Another person's events need another stream.
  useEffect(() => (who ? connectEvents(who === drawnFor.current ? 0 : performance.now()) : undefined), [who])
  useEffect(() => onLiveEvent(followUp), [])
}

const due = new Set<LiveEvent>()
let isInRound = false

/**
 * Refetches after an event: a balance at once, the rest with a random delay, because all open pages receive the same
 * event at once. One round of calls answers all events of that time.
 */
export function followUp(event: LiveEvent): void {
  if (event === 'session-ended' || event === 'balance') {
    void act([event])
    return
  }
  due.add(event)
  if (!isInRound) void round()
}

/** Runs rounds one by one. A round ends running fetches, so on a slow line overlapping rounds would never finish. */
async function round(): Promise<void> {
  isInRound = true
  try {
    await pause(FOLLOW_UP_MS * (0.5 + Math.random()))
    const events = [...due]
    due.clear()
    await Promise.race([act(events), pause(ROUND_MS_MAX)])
  } finally {
    isInRound = false
    if (due.size > 0) void round()
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Handles all events together, so that shared data is refetched once. A buyer's own keys, of which there may be
 * thousands, change with the balance, not with the stock.
 * @returns when the answers have arrived
 */
function act(events: readonly LiveEvent[]): Promise<void> {
  if (events.includes('settings')) void checkVersion()
  if (events.some((event) => event !== 'settings' && event !== 'stock')) void refreshSession()
  return queryClient.invalidateQueries({
    predicate: (query) =>
      events.some(
        (event) =>
          STALE[event].some((feature) => feature === query.queryKey[0]) &&
          (event !== 'stock' || query.queryKey[1] !== 'mine'),
      ),
  })
}

/** Looks when the page comes into view, and every so many ms in which it is. @returns a function that ends it */
function lookAgain(look: () => unknown, everyMs: number | undefined): () => void {
  const lookIfShown = () => {
    if (!document.hidden) void look()
  }
  const timer = everyMs && setInterval(lookIfShown, everyMs)
  document.addEventListener('visibilitychange', lookIfShown)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', lookIfShown)
  }
}

/** Polls every 3 s, as the specification says, while events don't arrive. */
function useSessionPolling(): void {
  const live = useLive()
  const reconnecting = useReconnecting()
  const signedIn = useSession().user !== null
  const everyMs = signedIn && (!live || reconnecting) ? SYNC_POLL_INTERVAL_MS : undefined
  useEffect(() => lookAgain(refreshSession, everyMs), [everyMs])
}

async function checkVersion(): Promise<void> {
  if (location.pathname.startsWith('/admin')) return
  const answer = await client.settings.version({}).catch(() => undefined)
  if (!answer || location.pathname.startsWith('/admin')) return
  const known = getBoot().settingsVersion
  // 0 if the page started without a server, so there is nothing to compare. A node without its database answers with
  // its last known version, which may be older than this page's.
  if (known !== 0 && answer.settingsVersion > known) location.reload()
}

function useSettingsVersion(): void {
  useEffect(() => lookAgain(checkVersion, VERSION_POLL_MS), [])
}

/** Says why the server ended the session, and opens the login page. */
function useSessionEnd(): void {
  const { ended } = useSession()
  useEffect(() => {
    if (!ended) return
    acknowledgeEnd()
    if (ended.message) void tell(ended.message)
    if (location.pathname !== '/login')
      void navigate({ to: '/login', search: { next: location.pathname + location.search } })
  }, [ended])
}

function useBalanceNotification(): void {
  const { user } = useSession()
  const before = useRef(user && { id: user.id, balance: user.balance })
  useEffect(() => {
    const last = before.current
    before.current = user && { id: user.id, balance: user.balance }
    if (!user || last?.id !== user.id || last.balance === user.balance) return
    const isShown = isSpendingShown.get()
    void import('./balance-news.ts').then(
      (file) => file.tellBalance(user.id, last.balance, isShown),
      () => undefined,
    )
  }, [user])
}
