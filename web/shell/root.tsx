import { useEffect } from 'react'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { answerNo } from '../ui/overlays/confirm.ts'
import { Boundary } from '../platform/navigation/boundary.tsx'
import { t } from '../platform/i18n.ts'
import { toast, useToasts } from '../platform/navigation/toast.ts'
import { Announcer } from '../ui/overlays/announcer.tsx'
import { AddMoney } from '../payments/add-money/add-money.tsx'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { RouterView } from '../platform/navigation/router.tsx'
import { ErrorPage } from './error-page.tsx'
import { LoadingPage } from './loading-page.tsx'
import { NavigationBar } from './navigation-bar.tsx'
import { OfflineLine } from './offline-line.tsx'

/** Wraps every screen: connection line, messages, questions and live updates. */
export function Root() {
  return (
    <>
      <NavigationBar />
      <OfflineLine />
      <RouterView loading={<LoadingPage />} notFound={<NotFoundPage />} ErrorPage={ErrorPage} />
      <AddMoney />
      <LiveUpdates />
      <ToastsWhenNeeded />
      <Announcer />
      <Boundary onError={answerUnshown}>
        <ConfirmDialog />
      </Boundary>
    </>
  )
}

const NotFoundPage = lazyPart(() => import('./not-found-page.tsx').then((file) => file.NotFoundPage))

/** Not needed for the first look, and it comes with the file that each page fetches next. */
const LiveUpdates = lazyPart(() => import('./live-updates.tsx').then((file) => file.LiveUpdates))

/** Not needed for the first look. They are fetched right after, because they must also show without a network. */
const loadToasts = () => import('../ui/overlays/toasts.tsx').then((file) => file.Toasts)
const Toasts = lazyPart(loadToasts, { missing: 'nothing' })

function ToastsWhenNeeded() {
  useEffect(() => void loadToasts().catch(() => undefined), [])
  return useToasts().length > 0 ? <Toasts /> : null
}

/** Answers no to a question that is no longer on screen. */
function answerUnshown(retry: () => void): void {
  answerNo()
  toast(t('Something went wrong. Nothing was changed. Please try again.'), { tone: 'bad' })
  retry()
}
