import type { Payment } from '../../../../contract/payments.ts'
import { RecordCard } from '../../../ui/admin/lists/record-card.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { DecisionButtons, Held } from './actions.tsx'
import { faceOf } from './columns.tsx'
import { useDecisions } from './decisions.ts'
import { Fault } from './outcome.tsx'
import { useNextRequests } from './queries.ts'

const RejectDialog = lazyPart(() => import('./reject-dialog.tsx').then((file) => file.RejectDialog))

/** At a desk, beside the figures of the day. */
const SHOWN = 2

/** The requests that have waited longest, as Payments shows them, to be decided where one is. A phone shows one. */
export function NextRequest() {
  const { data: requests } = useNextRequests()
  const { decisions, approve, reject } = useDecisions()
  const decisionOf = ({ _id }: Payment) => decisions.get(_id)
  const isOver = (payment: Payment) => decisionOf(payment)?.phase === 'done'
  if (!requests) return <Skeleton className="h-24" />
  return (
    <div className="grid divide-y divide-line *:py-2 *:not-first:max-wide:hidden">
      {requests
        .filter((payment) => !isOver(payment))
        .slice(0, SHOWN)
        .map((payment) => (
          <div key={payment._id} className="grid gap-1">
            <RecordCard face={faceOf(payment)} />
            {decisionOf(payment)?.phase === 'held' ? (
              <Held payment={payment} />
            ) : (
              <div className="flex gap-2 large-text:flex-wrap">
                <DecisionButtons
                  payment={payment}
                  decision={decisionOf(payment)}
                  place={payment._id}
                  onApprove={() => void approve(payment)}
                  onReject={() => openDialog(RejectDialog, { payment, onReject: reject })}
                />
              </div>
            )}
            <Fault decision={decisionOf(payment)} />
          </div>
        ))}
    </div>
  )
}
