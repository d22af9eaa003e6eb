import { useState, type MouseEventHandler } from 'react'
import type { Claim, ClaimDetails } from '../../../contract/claims.ts'
import { calls } from '../../platform/admin/roles.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { loadWords } from '../../platform/catalogues.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { t, variantText } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { Chip } from '../../ui/chip.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { discard, leave } from '../../ui/overlays/edit-dialog.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Loaded } from '../../ui/page/loaded.tsx'
import { Time } from '../../ui/time.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { reasonText, STATUS_TONES, statusText } from '../claim-words.ts'
import { ClaimAnswers } from './claim-answers.tsx'
import { ClaimFacts } from './claim-facts.tsx'
import { askFor } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { useChange } from '../../platform/calls/use-call.ts'
import { decide as send } from './claims-queries.ts'
import { looksBad } from './looks-bad.ts'

/** Most keys come from no other store. */
const SupplierReport = lazyPart(
  () => Promise.all([import('./supplier-report.tsx'), loadWords('-supply')]).then(([file]) => file.SupplierReport),
  { missing: 'line' },
)

interface ClaimDialogProps extends DialogProps {
  claim: Pick<Claim, '_id' | 'number' | 'buyer' | 'productId' | 'duration'>
}

/** One claim: the buyer's words and the facts, and beside them the answers. */
export function ClaimDialog({ claim, open, onClose }: ClaimDialogProps) {
  const details = usePanel(askFor('claims', 'one', { id: claim._id }))
  const decide = useChange('claims', send)
  const [draft, setDraft] = useState({ answer: '', amount: '' })
  const isOpen = details.data?.status === 'open' || decide.isPending
  const isTyped = isOpen && (draft.answer + draft.amount).trim() !== ''
  return (
    <Dialog
      open={open}
      onClose={() => {
        if (!decide.isPending) void discard(isTyped, onClose)
      }}
      sticky={isTyped}
      footer={isOpen && decide.error && <FormError>{errorMessage(decide.error)}</FormError>}
      size="wide"
      title={t('{number} by {name}', { number: claim.number, name: claim.buyer.username })}
      description={variantText(claim.productId.name, claim.duration)}
    >
      <Loaded query={details} skeleton="h-115">
        {(known) => (
          <div className="grid gap-5 sm:grid-cols-2">
            <Told claim={known} onLeave={leave(isTyped)} />
            {isOpen ? (
              <ClaimAnswers claim={known} decide={decide} draft={draft} onDraft={setDraft} onDone={onClose} />
            ) : (
              <Decided claim={known} />
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function Told({ claim, onLeave }: { claim: ClaimDetails; onLeave: MouseEventHandler<HTMLAnchorElement> }) {
  const { reason, note, createdAt, evidence, batch, productId, duration } = claim
  return (
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
            onClick={onLeave}
            className="inline font-semibold underline"
          >
            {t('Recall?')}
          </AllowedLink>
        </p>
      )}
      <ClaimFacts claim={claim} />
      {batch && batch.supplier !== '' && <SupplierReport id={claim._id} />}
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
