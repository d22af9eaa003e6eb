import { lazy, Suspense, useState } from 'react'
import { useQuestion } from '../ui/confirm.ts'
import { Toasts } from '../ui/toasts.tsx'
import { useToasts } from '../platform/toast.ts'
import { AddMoney } from '../payments/add-money.tsx'
import { RouterView } from '../platform/router.tsx'
import { ErrorPage } from './error-page.tsx'
import { LoadingPage } from './loading-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { NavigationBar } from './navigation-bar.tsx'
import { LiveUpdates } from './live-updates.tsx'
import { OfflineLine } from './offline-line.tsx'

const ConfirmDialog = lazy(() => import('../ui/confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })))

/** Around every screen: the connection line, messages, questions, and what keeps the page current. */
export function Root() {
  return (
    <>
      <NavigationBar />
      <OfflineLine />
      <RouterView loading={<LoadingPage />} notFound={<NotFoundPage />} ErrorPage={ErrorPage} />
      <AddMoney />
      <LiveUpdates />
      <ToastsWhenNeeded />
      <QuestionsWhenNeeded />
    </>
  )
}

function ToastsWhenNeeded() {
  return useToasts().length > 0 ? <Toasts /> : null
}

/** The dialog's code comes with the first question. */
function QuestionsWhenNeeded() {
  const isAsked = useQuestion() !== null
  const [hasAsked, setHasAsked] = useState(false)
  if (isAsked && !hasAsked) setHasAsked(true)
  return hasAsked ? (
    <Suspense>
      <ConfirmDialog />
    </Suspense>
  ) : null
}
