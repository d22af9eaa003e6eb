import type { Payment } from '../../../../contract/payments.ts'
import { bankOf, BankWord } from '../../../bank/admin/queue/bank-line.tsx'
import { formatRupees } from '../../../platform/money.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { DecisionButtons, Held } from './actions.tsx'
import { Buys, Signs, Waiting } from './columns.tsx'
import { useDecisions } from './decisions.ts'
import { Fault } from './outcome.tsx'
import { useNextRequests } from './queries.ts'
import { buyerOf } from './words.ts'

const RejectDialog = lazyPart(() => import('./reject-dialog.tsx').then((file) => file.RejectDialog))

/** The request that has waited longest, to be decided where one is. The others are in the queue. */
export function NextRequest() {
  const { data: requests } = useNextRequests()
  const { decisions, approve, reject } = useDecisions()
  const decisionOf = ({ _id }: Payment) => decisions.get(_id)
  const isOver = (payment: Payment) => decisionOf(payment)?.phase === 'done'
  const next = requests?.find((payment) => !isOver(payment))
  if (!requests) return <Skeleton className="h-24" />
  if (!next) return null
  const bank = bankOf(next)
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <p className="min-w-0 font-medium wrap-anywhere">
          {buyerOf(next)}{' '}
          <span className="text-xs font-normal">
            <Waiting since={next.createdAt} />
          </span>{' '}
          <Buys payment={next} />
          <code className="block font-mono text-sm font-normal text-fg-2">{next.utr}</code>
        </p>
        <p className="tabular shrink-0 text-lg font-semibold">{formatRupees(next.amount)}</p>
      </div>
      {bank && <BankWord bank={bank} />}
      <Signs payment={next} />
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
