import { useEffect, useRef, useState, type ComponentProps, type ComponentType, type ReactNode } from 'react'
import type { User } from '../../contract/users.ts'
import { readyText } from '../keys/ready-text.ts'
import { t } from '../platform/i18n.ts'
import { Boundary } from '../platform/navigation/boundary.tsx'
import { usePageTitle } from '../platform/navigation/page-title.ts'
import { Link, useLocation } from '../platform/navigation/router.tsx'
import { useSession } from '../platform/session/session.ts'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { Page } from '../ui/page/page.tsx'
import { Loading, Skeleton } from '../ui/page/skeleton.tsx'
import { loadOpenOrderNote, OrderForm } from './order-form.tsx'
import { putAway, useArrival } from './purchase/arrived-keys.ts'
import { clearOutcome, isUnderWay, resumePurchase, usePurchase } from './purchase/purchase.ts'

type ResultFile = typeof import('./purchase-result.tsx')
type Views = { [Name in keyof ResultFile]: ComponentType<ComponentProps<ResultFile[Name]>> }
/** Known once they are here. A lazy part would hold an empty place in front of the keys even then. */
let known: Views | undefined
const loadResult = () => import('./purchase-result.tsx').then((file) => (known = file))
const look = { waiting: <ResultSkeleton />, missing: KeysElsewhere }
const LATER: Views = {
  PurchaseResult: lazyPart(() => loadResult().then((file) => file.PurchaseResult), look),
  ArrivedKeys: lazyPart(() => loadResult().then((file) => file.ArrivedKeys), look),
}

export function BuyScreen() {
  const { user } = useSession()
  return user && <Content user={user} />
}

function Content({ user }: { user: User }) {
  const purchase = usePurchase()
  useEffect(() => {
    // Fetches the result view early, because nothing may come between a purchase and its keys.
    void Promise.allSettled([loadResult(), loadOpenOrderNote()])
    return resumePurchase(user.id)
  }, [user.id])
  useOutcomeForOneVisit()
  const arrival = useArrival()
  const boughtId = purchase.step === 'bought' ? purchase.placed.order._id : undefined
  useEffect(() => {
    if (boughtId) putAway(boughtId)
  }, [boughtId])
  const isArriving = arrival !== undefined && !isUnderWay(purchase)
  const count = purchase.step === 'bought' ? purchase.placed.keys.length : isArriving ? arrival.count : 0
  // Who waits looks at another tab
  usePageTitle(count > 0 ? readyText(count) : t('Buy Key'))
  return (
    // New keys have the page to themselves
    <Page
      title={t('Buy Key')}
      description={t('Pay from your wallet. Your key appears in My Key instantly.')}
      hideTitle={boughtId !== undefined || isArriving}
    >
      {purchase.step === 'bought' ? (
        <Result>{({ PurchaseResult }) => <PurchaseResult placed={purchase.placed} />}</Result>
      ) : !isArriving ? (
        <OrderForm user={user} purchase={purchase} />
      ) : (
        <Result>
          {({ ArrivedKeys }) => <ArrivedKeys keys={arrival.keys} count={count} onAnother={arrival.putAway} />}
        </Result>
      )}
    </Page>
  )
}

/** Keeps the views that it begins with, or keys that are shown would be drawn again. */
function Result({ children }: { children: (views: Views) => ReactNode }) {
  const [views] = useState(known ?? LATER)
  return <Boundary Instead={KeysElsewhere}>{children(views)}</Boundary>
}

/** Shown if the result view can't be loaded. The keys are paid for, and this says so. */
function KeysElsewhere() {
  return (
    <p role="alert" className="rounded-panel border border-ok/30 bg-ok/8 p-4">
      {t('Order complete.')}{' '}
      <Link to="/my-key" className="font-semibold text-brand hover:underline">
        {t('Your keys are in My Key')}
      </Link>
    </p>
  )
}

function ResultSkeleton() {
  return (
    <Loading className="mx-auto max-w-160">
      <Skeleton className="h-80" />
    </Loading>
  )
}

/** Forgets a settled order, so that a buyer who comes back, or chooses Buy Key again, finds the form. */
function useOutcomeForOneVisit(): void {
  const { searchText } = useLocation()
  const shown = useRef<string>(undefined)
  useEffect(() => {
    shown.current = searchText
    return () => {
      shown.current = undefined
      // React's development mode unmounts and mounts again at once.
      setTimeout(() => {
        if (shown.current !== searchText) clearOutcome()
      })
    }
  }, [searchText])
}
