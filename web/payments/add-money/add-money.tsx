import { useEffect, useState } from 'react'
import { t } from '../../platform/i18n.ts'
import { shown } from '../../platform/navigation/navigation.ts'
import { queryClient } from '../../platform/calls/queries.ts'
import { useSession } from '../../platform/session/session.ts'
import { useStore } from '../../platform/store.ts'
import { useUpi } from '../../settings/use-upi.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { ADD_MONEY_CALL, addMoneyRequest, closeAddMoney, type AddMoneyRequest } from '../open-add-money.ts'

const AddMoneyForm = lazyPart(() => import('./add-money-form.tsx').then((file) => file.AddMoneyForm), {
  waiting: <Waiting />,
  missing: 'line',
})

/** Shows the payment dialog. Its frame opens at once and its form is fetched. */
export function AddMoney() {
  const opened = useStore(addMoneyRequest)
  const { user } = useSession()
  const path = useStore(shown)?.location.pathname
  const isOpen = opened !== null && opened.path === path && opened.userId === user?.id
  const [last, setLast] = useState(opened)
  // Keeps the form while the dialog moves out.
  if (isOpen && opened !== last) setLast(opened)

  const hasLeft = opened !== null && path !== undefined && opened.path !== path
  useEffect(() => {
    if (hasLeft) closeAddMoney()
  }, [hasLeft])

  if (!last) return null
  return (
    <Dialog open={isOpen} onClose={closeUnlessSending} title={t('Add Money')} description={<Way />} size="wide" sticky>
      <AddMoneyForm key={keyOf(last)} request={last} />
    </Dialog>
  )
}

/** Nobody should pay while payments are off. */
function Way() {
  const { data } = useUpi()
  return data?.paymentEnabled === false ? null : t('Pay by UPI, then enter the UTR.')
}

/** The form itself reports on a request that is being sent. */
function closeUnlessSending(): void {
  if (queryClient.isMutating({ mutationKey: ADD_MONEY_CALL }) === 0) closeAddMoney()
}

/** Keeps the form when it opens again for the same payment. A different one starts empty. */
const keyOf = ({ plan, amountRupees }: AddMoneyRequest) => (plan ? `${plan._id} ${plan.amount}` : String(amountRupees))

function Waiting() {
  return (
    <Loading className="grid gap-6 md:grid-cols-[280px_1fr]">
      <Skeleton className="order-2 mx-auto size-70 rounded-card md:order-1" />
      <div className="order-1 grid content-start gap-5 md:order-2">
        {[1, 2, 3].map((field) => (
          <div key={field} className="grid gap-1.5">
            <Skeleton className="h-5 w-24" />
            <Skeleton className="h-11 w-full rounded-control" />
          </div>
        ))}
        <Skeleton className="h-11 w-full rounded-control" />
      </div>
    </Loading>
  )
}
