import { useEffect, useRef } from 'react'
import type { User } from '../../contract/users.ts'
import { t } from '../platform/i18n.ts'
import { Link } from '../platform/router.tsx'
import { useSession } from '../platform/session.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Page } from '../ui/page.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'
import { loadOpenOrderNote, OrderForm } from './order-form.tsx'
import { clearOutcome, resumePurchase, usePurchase } from './purchase.ts'

const loadResult = () => import('./purchase-result.tsx').then((file) => file.PurchaseResult)
const PurchaseResult = lazyPart(loadResult, { waiting: <ResultSkeleton />, missing: KeysElsewhere })

export function BuyScreen() {
  const { user } = useSession()
  return (
    <Page title={t('Buy Key')} description={t('Pay from your wallet. Your key appears in My Key instantly.')}>
      {user && <Content user={user} />}
    </Page>
  )
}

function Content({ user }: { user: User }) {
  const purchase = usePurchase()
  useEffect(() => resumePurchase(user.id), [user.id])
  // Here before it is needed: nothing may stand between a purchase and its keys.
  useEffect(() => {
    for (const load of [loadResult, loadOpenOrderNote]) load().catch(() => undefined)
  }, [])
  useOutcomeForOneVisit()
  return purchase.step === 'bought' ? (
    <PurchaseResult placed={purchase.placed} />
  ) : (
    <OrderForm user={user} purchase={purchase} />
  )
}

/** Where what shows the keys could not be loaded: they are paid for, and nobody is to think otherwise. */
function KeysElsewhere() {
  return (
    <p role="alert" className="rounded-panel border border-ok/30 bg-ok/8 p-4 sm:p-6">
      {t('Order complete.')}{' '}
      <Link to="/my-key" className="font-semibold text-brand hover:underline">
        {t('Your keys are in My Key')}
      </Link>
    </p>
  )
}

function ResultSkeleton() {
  return (
    <Loading className="mx-auto max-w-3xl">
      <Skeleton className="h-80 rounded-panel" />
    </Loading>
  )
}

/** Who comes back to this page finds the form, and not what came of the last order. */
function useOutcomeForOneVisit(): void {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      // React's development mode leaves and comes back at once.
      setTimeout(() => {
        if (!isHere.current) clearOutcome()
      })
    }
  }, [])
}
