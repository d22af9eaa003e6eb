import { useEffect, useState } from 'react'
import { answerNo, useQuestion } from '../ui/overlays/confirm.ts'
import type { InsteadProps } from '../platform/navigation/boundary.tsx'
import { t } from '../platform/i18n.ts'
import { toast, useToasts } from '../platform/navigation/toast.ts'
import { Announcer } from '../ui/overlays/announcer.tsx'
import { addMoneyRequest, reopenAddMoney } from '../payments/open-add-money.ts'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { RouterView, useNavigationPending } from '../platform/navigation/router.tsx'
import { ErrorPage } from './error-page.tsx'
import { Loading, Skeleton } from '../ui/page/skeleton.tsx'
import { useReconnecting } from '../platform/calls/connection.ts'
import { useStore } from '../platform/store.ts'

/** Wraps every screen: connection line, messages, questions and live updates. */
export function Root() {
  return (
    <>
      <NavigationBar />
      <OfflineLine />
      <RouterView loading={<LoadingPage />} notFound={<NotFoundPage />} ErrorPage={ErrorPage} />
      <AddMoneyWhenNeeded />
      <LiveUpdates />
      <ToastsWhenNeeded />
      <Announcer />
      <ConfirmWhenNeeded />
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

/** @returns true from the first need on, because a dialog that closes still moves out */
function useEver(isNeeded: boolean): boolean {
  const [was, setWas] = useState(isNeeded)
  if (isNeeded && !was) setWas(true)
  return was
}

const AddMoney = lazyPart(() => import('../payments/add-money/add-money.tsx').then((file) => file.AddMoney))

function AddMoneyWhenNeeded() {
  useEffect(reopenAddMoney, [])
  return useEver(useStore(addMoneyRequest) !== null) && <AddMoney />
}

const ConfirmDialog = lazyPart(() => import('../ui/overlays/confirm-dialog.tsx').then((file) => file.ConfirmDialog), {
  missing: Unasked,
})

function ConfirmWhenNeeded() {
  return useEver(useQuestion() !== null) && <ConfirmDialog />
}

/** Answers no to a question that could not be shown, and tries again with the next one. */
function Unasked({ onRetry }: InsteadProps) {
  const asked = useQuestion()
  const [unshown] = useState(asked)
  useEffect(() => {
    if (asked && asked !== unshown) onRetry()
    if (asked !== unshown) return
    answerNo()
    toast(t('Something went wrong. Nothing was changed. Please try again.'), { tone: 'bad' })
  }, [asked, unshown, onRetry])
  return null
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
