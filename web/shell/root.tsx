import { useEffect } from 'react'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { answerNo } from '../ui/overlays/confirm.ts'
import { Boundary } from '../platform/navigation/boundary.tsx'
import { t } from '../platform/i18n.ts'
import { toast, useToasts } from '../platform/navigation/toast.ts'
import { Announcer } from '../ui/overlays/announcer.tsx'
import { AddMoney } from '../payments/add-money/add-money.tsx'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { RouterView, useNavigationPending } from '../platform/navigation/router.tsx'
import { ErrorPage } from './error-page.tsx'
import { Loading, Skeleton } from '../ui/page/skeleton.tsx'
import { useReconnecting } from '../platform/calls/connection.ts'

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

/** Fills in for a screen whose code is loading. */
function LoadingPage() {
  return (
    <Loading className="grid gap-6">
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-64 w-full rounded-panel" />
    </Loading>
  )
}

/** Shows a thin moving line at the top while the next screen loads. */
function NavigationBar() {
  const pending = useNavigationPending()
  return (
    <output className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
      {pending && (
        <>
          <span className="sr-only">{t('Loading…')}</span>
          <span className="progress-line block h-full w-1/3 bg-brand" />
        </>
      )}
    </output>
  )
}

/** Shows a quiet line while the store can't be reached. The screen keeps its content. */
function OfflineLine() {
  const reconnecting = useReconnecting()
  return (
    <output className="pointer-events-none fixed inset-x-0 top-10.5 z-50 pt-[env(safe-area-inset-top)]">
      {reconnecting && (
        <p
          className={
            'toast flex items-center gap-2 rounded-full border border-line-2 bg-raised px-3.5 py-1.5 text-xs ' +
            'mx-auto w-fit font-medium text-fg-2 shadow-raised'
          }
        >
          <span className="spinner" aria-hidden />
          {t('Reconnecting…')}
        </p>
      )}
    </output>
  )
}
