import './styles/app.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { fillQueries, loadBoot } from './platform/boot.ts'
import { setServerTime } from './platform/clock.ts'
import { forgetEarlyInput, keepEarlyInput } from './platform/early-input.ts'
import { shown, startNavigation } from './platform/navigation.ts'
import { keepOfflinePage } from './platform/offline-page.ts'
import { makeLogoutsGood } from './platform/owed-logouts.ts'
import { queryClient } from './platform/queries.ts'
import { followOtherTabs, startSession } from './platform/session.ts'
import { restoreTheme } from './platform/theme.ts'
import { screens } from './routes.tsx'
import { StoreApp } from './shell/store-app.tsx'

async function start(): Promise<void> {
  restoreTheme()
  if (await makeLogoutsGood()) {
    location.reload()
    return
  }
  const boot = await loadBoot()
  setServerTime(boot.now)
  startSession(boot.user, boot.admin)
  followOtherTabs()
  fillQueries(queryClient, boot)
  const arrived = startNavigation(screens)
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  if (root.hasChildNodes()) await arrived
  const drawn = root.hasChildNodes() && shown.get()?.Component ? root : undefined
  // As a transition, the work is done in pieces of a few milliseconds, between which the page scrolls and takes input.
  startTransition(() => {
    // Drawn by the server: the page comes alive as it is, provided that its screen is what is shown.
    if (drawn) {
      hydrateRoot(drawn, <StoreApp queries={queryClient} onAlive={keepEarlyInput(drawn)} />)
    } else {
      forgetEarlyInput()
      createRoot(root).render(<StoreApp queries={queryClient} />)
    }
  })
}

void start()
keepOfflinePage()
