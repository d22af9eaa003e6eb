import { warningAbout, isSureDespite } from '../../../bank/admin/queue/bank-line.tsx'
import { startTransition, useEffect, useRef, useState } from 'react'
import type { Payment } from '../../../../contract/payments.ts'
import { ApiError, errorMessage } from '../../../platform/calls/api-error.ts'
import { client } from '../../../platform/calls/client.ts'
import { renew } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { confirm } from '../../../ui/overlays/confirm.ts'
import { formatRupees, sumRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import type { OtherAmount } from './amount-dialog.tsx'
import { hold, sendHeld, track } from './held-approvals.ts'
import { buyerOf, creditedBy, decidedText } from './words.ts'

export const FAILURE_MS = 15_000

type Verdict = 'approve' | 'reject'

interface Details {
  reason?: string
  onlyConfirmed?: boolean
  /** Set when a dialog asked first. Such an approval has no seconds for Undo. */
  other?: OtherAmount
}

/** The progress of a decision about one request, shown in its row. */
export type Decision =
  /** An approval that can still be taken back. */
  | { phase: 'held' }
  | { phase: 'working'; verdict: Verdict }
  | { phase: 'done'; payment: Payment }
  | { phase: 'failed'; message: string; retry: boolean }

interface Summary {
  approved: number
  credited: number
  failed: { payment: Payment; message: string }[]
}

/** Approves and rejects each request once, however often it is called, and remembers each result. */
export function useDecisions() {
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map())
  /** Under way or decided: what has failed in passing may be tried again. */
  const taken = useRef(new Set<string>())
  const isHere = useLeaving()
  const note = (id: string, decision: Decision | undefined) =>
    setDecisions((before) => {
      const next = new Map(before)
      if (decision) next.set(id, decision)
      else next.delete(id)
      return next
    })

  const decide = async (payment: Payment, verdict: Verdict, details: Details = {}): Promise<Decision | undefined> => {
    const id = payment._id
    const { pathname } = location
    if (taken.current.has(id)) return undefined
    taken.current.add(id)
    if (verdict === 'approve' && details.other === undefined) {
      startTransition(() => note(id, { phase: 'held' }))
      if (!(await hold(id))) {
        note(id, undefined)
        taken.current.delete(id)
        return undefined
      }
    }
    note(id, { phase: 'working', verdict })
    const decision = await track(send(payment, verdict, details))
    note(id, decision)
    if (isUndecided(decision)) taken.current.delete(id)
    // A screen that is left stays until the next one is loaded
    const isLeft = !isHere.current || location.pathname !== pathname
    if (decision.phase === 'failed' && isLeft) tellFailure(payment, verdict, decision.message)
    return decision
  }
  const refresh = () => void renew('payments')

  const failureOf = (decision: Decision | undefined) => {
    refresh()
    return decision?.phase === 'failed' && decision.retry ? decision.message : undefined
  }

  return {
    decisions,
    approve: async (payment: Payment) => {
      // Without a warning the decision is stored now, because a tab that closes right after must not lose it
      const isSure = payment.large || warningAbout(payment) !== undefined ? await isSureOf(payment) : true
      if (isSure && (await decide(payment, 'approve'))) refresh()
    },
    /** Shows in the row what became of it. */
    show: (payment: Payment) => note(payment._id, { phase: 'done', payment }),
    /** @returns why it failed, where another try may help */
    reject: async (payment: Payment, reason: string) => failureOf(await decide(payment, 'reject', { reason })),
    /** @returns why it failed, where another try may help */
    approveOther: async (payment: Payment, other: OtherAmount) =>
      failureOf(await decide(payment, 'approve', { other })),
    /**
     * One refusal does not stop the rest. Skips requests that are decided or taken back.
     * @param onlyConfirmed true for those that nobody looked at: the server refuses what the bank confirms no longer
     */
    approveAll: async (payments: readonly Payment[], onlyConfirmed: (one: Payment) => boolean): Promise<Summary> => {
      const made = await Promise.all(
        payments.map(async (payment) => ({
          payment,
          decision: await decide(payment, 'approve', { onlyConfirmed: onlyConfirmed(payment) }),
        })),
      )
      const approved = made.filter(({ decision }) => decision?.phase === 'done')
      refresh()
      return {
        approved: approved.length,
        credited: sumRupees(approved.map(({ payment }) => creditedBy(payment))),
        failed: made.flatMap(({ payment, decision }) =>
          decision?.phase === 'failed' ? [{ payment, message: decision.message }] : [],
        ),
      }
    },
  }
}

/** Asks once more about what the bank speaks against, and about a large request whose money no statement shows. */
function isSureOf(payment: Payment): Promise<boolean> {
  const warning = warningAbout(payment)
  if (!payment.large) return isSureDespite(warning ?? '', payment)
  return confirm({
    title: t('Not in your bank yet'),
    body: [t('A large payment can still be cancelled by the payer.'), warning].filter(Boolean).join('\n'),
    confirmLabel: t('Approve anyway'),
    cancelLabel: t('Wait'),
    danger: true,
    rests: true,
  })
}

/** Sends held decisions when the admin leaves the screen. */
function useLeaving() {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      sendHeld()
    }
  }, [])
  return isHere
}

async function send(
  { _id: id, amount: expected }: Payment,
  verdict: Verdict,
  { reason, onlyConfirmed, other }: Details,
): Promise<Decision> {
  try {
    const call =
      verdict === 'approve'
        ? client.payments.approve(
            { id, ...(onlyConfirmed && { onlyConfirmed }), ...(other && { ...other, expected }) },
            { keepalive: true },
          )
        : client.payments.reject({ id, ...(reason && { reason }) })
    return { phase: 'done', payment: await call }
  } catch (error) {
    return explain(error)
  }
}

/** Says on another screen what can no longer be said in the row. */
function tellFailure(payment: Payment, verdict: Verdict, message: string): void {
  const words = { amount: formatRupees(payment.amount), name: buyerOf(payment), message }
  const text =
    verdict === 'approve'
      ? t('{amount} from {name} was not approved. {message}', words)
      : t('{amount} from {name} was not rejected. {message}', words)
  toast(text, { tone: 'bad', durationMs: FAILURE_MS })
}

export function isUndecided(decision: Decision | undefined): boolean {
  return decision === undefined || (decision.phase === 'failed' && decision.retry)
}

/** Tells the second of two admins what the first has decided. */
function explain(error: unknown): Decision {
  if (error instanceof ApiError && error.code === 'NOT_PENDING') {
    const told = decidedText(error.details)
    return { phase: 'failed', message: told ? `${error.message} ${told}` : error.message, retry: false }
  }
  if (error instanceof ApiError && error.code === 'NOT_FOUND') {
    return { phase: 'failed', message: t('Another admin has deleted this request.'), retry: false }
  }
  return { phase: 'failed', message: errorMessage(error), retry: true }
}
