import './styles/app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadBoot, type Boot } from './platform/boot.ts'
import { setServerTime } from './platform/clock.ts'
import { startNavigation } from './platform/navigation.ts'
import { keepOfflinePage } from './platform/offline-page.ts'
import { queryClient } from './platform/queries.ts'
import { startSession } from './platform/session.ts'
import { restoreTheme } from './platform/theme.ts'
import { screens } from './routes.tsx'
import { Root } from './shell/root.tsx'

/** What came with the page need not be asked for again. */
function fillQueries(boot: Boot): void {
  queryClient.setQueryData(['settings', 'site'], boot.site)
  queryClient.setQueryData(['settings', 'notice'], { text: boot.notice })
  queryClient.setQueryData(['settings', 'upi'], boot.upi)
  queryClient.setQueryData(['catalogue', 'products'], boot.products)
}

async function start(): Promise<void> {
  restoreTheme()
  const boot = await loadBoot()
  setServerTime(boot.now)
  startSession(boot.user, boot.admin)
  fillQueries(boot)
  startNavigation(screens)
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Root />
      </QueryClientProvider>
    </StrictMode>,
  )
}

void start()
keepOfflinePage()
