import './older-browsers.ts'
import './styles/app.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from './engine.ts'
import { fillQueries, loadBoot } from './platform/calls/boot.ts'
import { holdTime, releaseTime, setServerTime } from './platform/clock.ts'
import { isOwnZone } from './platform/dates.ts'
import { keepEarlyInput } from './platform/navigation/early-input.ts'
import { shown, startNavigation } from './platform/navigation/navigation.ts'
import { startLanguage } from './platform/i18n.ts'
import { formatCount } from './platform/money.ts'
import { followNetwork } from './platform/calls/network.ts'
import { flushPendingLogouts } from './platform/session/pending-logouts.ts'
import { queryClient } from './platform/calls/queries.ts'
import { startSession } from './platform/session/session.ts'
import { followOtherTabs } from './platform/session/session-end.ts'
import { followTheme, restoreTheme } from './platform/theme.ts'
import { markHydrated } from './platform/use-hydrated.ts'
import { screens } from './routes.tsx'
import { StoreApp } from './shell/store-app.tsx'

/** Splits the start into tasks, so that none blocks the page for long. */
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))

async function start(): Promise<void> {
  await nextTask()
  restoreTheme()
  const spoken = startLanguage()
  await flushPendingLogouts()
  const boot = await loadBoot()
  setServerTime(boot.now)
  startSession(boot.user, boot.admin, boot.refusal)
  followOtherTabs()
  followNetwork()
  fillQueries(queryClient, boot)
  await nextTask()
  const arrived = startNavigation(screens)
  const root = document.getElementById('root')
  if (!root) throw new Error('No #root')
  await nextTask()
  // Formats one number early, because the browser then loads its formats for all languages. The first call takes as
  // long as the next thousand.
  formatCount(0)
  await nextTask()
  const isDrawn = root.hasChildNodes()
  const isRightlyDrawn = (await spoken) && isDrawn && (boot.zone === undefined || isOwnZone(boot.zone))
  if (isDrawn) await arrived
  await nextTask()
  const app = (onAlive: () => void) => <StoreApp queries={queryClient} onAlive={onAlive} />
  // A transition works in pieces of a few milliseconds, so that the page can scroll and take input in between.
  startTransition(() => {
    const repeatEarlyInput = keepEarlyInput(root)
    // In a task of its own: React hears no events while it commits, and the press would come before the text
    const repeatSoon = (then?: () => void) => {
      setTimeout(() => {
        repeatEarlyInput()
        if (then) setTimeout(then)
      })
    }
    // Hydrates the server's page, provided that its screen is the one shown.
    if (isRightlyDrawn && shown.get()?.Component) {
      holdTime(boot.now)
      const onAlive = () => {
        releaseTime()
        // Earlier it would differ from what the server drew
        followTheme()
        repeatSoon(markHydrated)
      }
      hydrateRoot(root, app(onAlive))
    } else {
      followTheme()
      markHydrated()
      // Until then the earlier drawing is shown, which hears nothing
      createRoot(root).render(app(repeatSoon))
    }
  })
}

void start()
// Not needed for the first look
void import('./shell/later.ts').then((file) => file.startLater()).catch(() => undefined)
