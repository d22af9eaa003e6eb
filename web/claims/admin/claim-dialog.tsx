import type { Claim, ClaimDetails } from '../../../contract/claims.ts'
import { calls } from '../../platform/admin/roles.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { t, variantText } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { Chip } from '../../ui/chip.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { reasonText, STATUS_TONES, statusText } from '../claim-words.ts'
import { ClaimAnswers } from './claim-answers.tsx'
import { ClaimFacts } from './claim-facts.tsx'
import { useClaim, useDecide } from './claims-queries.ts'
import { looksBad } from './looks-bad.ts'

interface ClaimDialogProps extends DialogProps {
  claim: Pick<Claim, '_id' | 'number' | 'buyer' | 'productId' | 'duration'>
}

/** One claim: the buyer's words and the facts, and beside them the answers. */
export function ClaimDialog({ claim, ...dialog }: ClaimDialogProps) {
  const details = useClaim(claim._id)
  return (
    <Dialog
      {...dialog}
      size="wide"
      title={t('{number} by {name}', { number: claim.number, name: claim.buyer.username })}
      description={variantText(claim.productId.name, claim.duration)}
    >
      {details.data ? (
        <Content claim={details.data} onDone={dialog.onClose} />
      ) : details.error ? (
        <ErrorState error={details.error} onRetry={details.refetch} retrying={details.isFetching} />
      ) : (
        <Loading className="grid gap-3">
          <Skeleton className="h-16" />
          <Skeleton className="h-48" />
          <Skeleton className="h-48" />
        </Loading>
      )}
    </Dialog>
  )
}

function Content({ claim, onDone }: { claim: ClaimDetails; onDone: () => void }) {
  const { reason, note, createdAt, status, evidence, batch, productId, duration } = claim
  const decide = useDecide()
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div className="grid content-start gap-3">
        <div>
          <p className="font-semibold">{reasonText(reason)}</p>
          {note && <p className="mt-1 whitespace-pre-line wrap-anywhere text-fg-2">{note}</p>}
          <p className="mt-1 text-xs text-fg-3">
            <Time value={createdAt} />
          </p>
        </div>
        {batch && evidence.batch && !evidence.batch.recalledAt && looksBad(evidence.batch) && (
          <p className="rounded-control bg-warn/14 px-3.5 py-2.5 text-sm">
            {t('Many keys of this batch are reported.')}{' '}
            <AllowedLink
              call={calls.claims.recall}
              to="/admin/key-manager"
              search={{ product: productId._id, duration, batch: batch._id }}
              className="inline font-semibold underline"
            >
              {t('Recall?')}
            </AllowedLink>
          </p>
        )}
        <ClaimFacts claim={claim} />
      </div>
      {status === 'open' || decide.isPending ? (
        <ClaimAnswers claim={claim} decide={decide} onDone={onDone} />
      ) : (
        <Decided claim={claim} />
      )}
    </div>
  )
}

function Decided({ claim: { status, decidedBy, decidedAt, answer, refunded } }: { claim: ClaimDetails }) {
  return (
    <div className="grid content-start gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Chip tone={STATUS_TONES[status]}>{statusText(status)}</Chip>
        {refunded !== null && <span className="tabular font-semibold">{formatRupees(refunded)}</span>}
        {decidedBy && <span>{decidedBy}</span>}
        {decidedAt && <Time value={decidedAt} className="text-fg-3" />}
      </p>
      {answer && <p className="wrap-anywhere">{answer}</p>}
    </div>
  )
}
