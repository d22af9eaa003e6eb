import './styles/app.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { fillQueries, loadBoot } from './platform/boot.ts'
import { setServerTime } from './platform/clock.ts'
import { forgetEarlyInput, keepEarlyInput } from './platform/early-input.ts'
import { shown, startNavigation } from './platform/navigation.ts'
import { keepOfflinePage } from './platform/offline-page.ts'
import { queryClient } from './platform/queries.ts'
import { followOtherTabs, startSession } from './platform/session.ts'
import { restoreTheme } from './platform/theme.ts'
import { screens } from './routes.tsx'
import { StoreApp } from './shell/store-app.tsx'

async function start(): Promise<void> {
  restoreTheme()
  const boot = await loadBoot()
  setServerTime(boot.now)
  startSession(boot.user, boot.admin)
  followOtherTabs()
  fillQueries(queryClient, boot)
  const arrived = startNavigation(screens)
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  if (root.hasChildNodes()) await arrived
  // Drawn by the server: the page comes alive as it is, provided that its screen is what is shown.
  if (root.hasChildNodes() && shown.get()?.Component) {
    hydrateRoot(root, <StoreApp queries={queryClient} onAlive={keepEarlyInput(root)} />)
  } else {
    forgetEarlyInput()
    createRoot(root).render(<StoreApp queries={queryClient} />)
  }
}

void start()
keepOfflinePage()
