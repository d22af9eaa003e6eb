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

/** The request that has waited longest, as Payments shows it, to be decided where one is. */
export function NextRequest() {
  const { data: requests } = useNextRequests()
  const { decisions, approve, reject } = useDecisions()
  const decisionOf = ({ _id }: Payment) => decisions.get(_id)
  const isOver = (payment: Payment) => decisionOf(payment)?.phase === 'done'
  const next = requests?.find((payment) => !isOver(payment))
  if (!requests) return <Skeleton className="h-24" />
  if (!next) return null
  return (
    <div className="grid gap-1">
      <div>
        <RecordCard face={faceOf(next)} />
      </div>
      {decisionOf(next)?.phase === 'held' ? (
        <Held payment={next} />
      ) : (
        <div className="flex gap-2 large-text:flex-wrap">
          <DecisionButtons
            payment={next}
            decision={decisionOf(next)}
            place={next._id}
            onApprove={() => void approve(next)}
            onReject={() => openDialog(RejectDialog, { payment: next, onReject: reject })}
          />
        </div>
      )}
      <Fault decision={decisionOf(next)} />
    </div>
  )
}
