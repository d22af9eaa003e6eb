import { useCallback, useEffect, useState, type ComponentType } from 'react'
import { t } from '../platform/i18n.ts'
import { shown } from '../platform/navigation.ts'
import { useSession } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'
import { addMoneyRequest, closeAddMoney, reopenAddMoney, type AddMoneyRequest } from './open-add-money.ts'

/** Where the payment dialog appears; the page's root has one. Its frame opens at once, its form is fetched. */
export function AddMoney() {
  const opened = useStore(addMoneyRequest)
  const { user } = useSession()
  const path = useStore(shown)?.location.pathname
  const isOpen = opened !== null && opened.path === path && opened.userId === user?.id
  const [last, setLast] = useState(opened)
  // The form stays while the dialog moves out.
  if (isOpen && opened !== last) setLast(opened)

  useEffect(reopenAddMoney, [])
  const hasLeft = opened !== null && path !== undefined && opened.path !== path
  useEffect(() => {
    if (hasLeft) closeAddMoney()
  }, [hasLeft])

  if (!last) return null
  return (
    <Dialog
      open={isOpen}
      onClose={closeAddMoney}
      title={t('Add money')}
      description={t('Pay by UPI, then send us the reference.')}
      size="wide"
      sticky
    >
      <LazyForm key={keyOf(last)} request={last} />
    </Dialog>
  )
}

/** Opened again for the same, the form goes on; for something else, it starts anew. */
const keyOf = ({ plan, amountRupees }: AddMoneyRequest) => (plan ? `${plan._id} ${plan.amount}` : String(amountRupees))

interface FormProps {
  request: AddMoneyRequest
}

/** Not React's `lazy`: a form that could not be fetched can be fetched again without leaving the dialog. */
function LazyForm({ request }: FormProps) {
  const [Form, setForm] = useState<ComponentType<FormProps>>()
  const [error, setError] = useState<unknown>()
  const load = useCallback(
    () =>
      import('./add-money-form.tsx').then(
        (file) => setForm(() => file.AddMoneyForm),
        () => setError(new Error(t('The store can’t be reached. Check your connection and try again.'))),
      ),
    [],
  )
  useEffect(() => void load(), [load])

  if (Form) return <Form request={request} />
  if (error !== undefined) {
    const retry = () => {
      setError(undefined)
      return load()
    }
    return <ErrorState title={t('The form could not be loaded')} error={error} onRetry={retry} />
  }
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
