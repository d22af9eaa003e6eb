/** Settles requests as they come and are approved, and what a node left undone. */
import { columns, sql } from '../../platform/database/database.ts'
import type { Services } from '../../platform/services.ts'
import { hasAccounts } from '../credits/accounts.ts'
import type { Core } from './matches.ts'
import { findHints } from './payment-bank.ts'
import { settleThose, type Settled } from './settle.ts'

/**
 * Looks for the money of each request that this node takes or approves, together for those of one moment. A failure is
 * only logged, because the job does the rest within a minute.
 */
export function followPayments(services: Core & Pick<Services, 'ended'>, onError: (error: unknown) => void): void {
  const { db, ended } = services
  let waiting = new Map<string, 'pending' | 'approved'>()
  let last = Promise.resolve()
  const look = async () => {
    const ids = [...waiting.keys()]
    const approved = ids.filter((id) => waiting.get(id) === 'approved')
    waiting = new Map()
    if (ended.aborted || !(await hasAccounts(db))) return
    await explainHints(services, approved)
    await settleThose(services, sql`request.id = any(${ids}::uuid[])`)
  }
  services.events.subscribe(({ to, name, data }, isOwn) => {
    if (!isOwn || to !== 'admins' || name !== 'payment') return
    if (data?.status !== 'pending' && data?.status !== 'approved') return
    // The events of one moment come in one turn. Looks run one by one, because each holds a connection while it waits
    if (waiting.size === 0) last = last.then(look).catch((error: unknown) => void (ended.aborted || onError(error)))
    waiting.set(data.id, data.status)
  })
}

const RECENT_MS = 2 * 24 * 3_600_000

/**
 * Settles what a node left that died between a commit and its settling.
 * @param lastAt when this was done before. A store that was off looks back to then
 */
export function settleLeft(services: Core, lastAt: Date = services.clock.now()): Promise<Settled> {
  const since = new Date(lastAt.getTime() - RECENT_MS)
  return settleThose(
    services,
    sql`(request.status = 'pending' or credit.first_seen_at > ${since} or request.decided_at > ${since})`,
  )
}

/** Closes the one hint that each approved request had, so that it supports no second one. */
async function explainHints({ db }: Core, requestIds: readonly string[]): Promise<void> {
  const hints = [...(await findHints(db, requestIds)).values()].filter(({ hintId }) => hintId !== null)
  if (hints.length === 0) return
  await db.run(sql`
    update bank_sightings set explained_by = request.id
      from ${columns(hints, 'request_id uuid, hint_id uuid')} as hint
      join topup_requests request on request.id = hint.request_id
     where bank_sightings.id = hint.hint_id and explained_by is null
       and not exists (select from bank_credit_refs where ref = request.utr)`)
}
