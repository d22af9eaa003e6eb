import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Payment } from '../../../contract/payments.ts'
import { ApiError, errorMessage } from '../../platform/api-error.ts'
import { client } from '../../platform/client.ts'
import { t } from '../../platform/i18n.ts'
import { creditedBy, decidedText } from './payment-manager-words.ts'

type Verdict = 'approve' | 'reject'

/** The progress of a decision about one request, shown in its row. */
export type Decision =
  | { phase: 'working'; verdict: Verdict }
  | { phase: 'done'; payment: Payment }
  | { phase: 'failed'; message: string; retry: boolean }

export interface Summary {
  approved: number
  credited: number
  failed: { payment: Payment; message: string }[]
}

/** Approves and rejects each request once, however often it is called, and remembers each result. */
export function useDecisions() {
  const queries = useQueryClient()
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map())
  /** Under way or decided: what has failed in passing may be tried again. */
  const taken = useRef(new Set<string>())
  const note = (id: string, decision: Decision) => setDecisions((before) => new Map(before).set(id, decision))

  const decide = async (payment: Payment, verdict: Verdict, reason?: string): Promise<Decision | undefined> => {
    const id = payment._id
    if (taken.current.has(id)) return undefined
    taken.current.add(id)
    note(id, { phase: 'working', verdict })
    let decision: Decision
    try {
      const call =
        verdict === 'approve'
          ? client.payments.approve({ id })
          : client.payments.reject({ id, ...(reason && { reason }) })
      decision = { phase: 'done', payment: await call }
    } catch (error) {
      decision = explain(error)
    }
    note(id, decision)
    if (isUndecided(decision)) taken.current.delete(id)
    return decision
  }
  const refresh = () => {
    for (const feature of ['payments', 'reports', 'users']) void queries.invalidateQueries({ queryKey: [feature] })
  }

  return {
    decisions,
    approve: async (payment: Payment) => {
      await decide(payment, 'approve')
      refresh()
    },
    /** @returns why it failed, where another try may help */
    reject: async (payment: Payment, reason: string) => {
      const decision = await decide(payment, 'reject', reason)
      refresh()
      return decision?.phase === 'failed' && decision.retry ? decision.message : undefined
    },
    /** One after the other; a refusal of one does not stop the rest, and what is decided already is passed over. */
    approveAll: async (payments: readonly Payment[]): Promise<Summary> => {
      const summary: Summary = { approved: 0, credited: 0, failed: [] }
      for (const payment of payments) {
        const decision = await decide(payment, 'approve')
        if (decision?.phase === 'done') {
          summary.approved += 1
          summary.credited += creditedBy(payment)
        } else if (decision?.phase === 'failed') summary.failed.push({ payment, message: decision.message })
      }
      refresh()
      return summary
    },
  }
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
