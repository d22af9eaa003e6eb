/** Plays a month against a store in one of its modes. A shopkeeper uploads statements and reviews each evening. */
import { dayOf } from '../../contract/india.ts'
import * as z from 'zod/mini'
import { sql } from '../../server/platform/database/database.ts'
import { findBroken } from '../../server/platform/database/invariants.ts'
import { iciciStatementOf, statementOf } from '../../test/worlds/bank.ts'
import { ADDED, KNOWN, mixedAlertOf } from './mixed-alerts.ts'
import { alertOf } from '../../test/worlds/phones.ts'
import type { ClockedStore } from './clocked-store.ts'
import { DAY, HOUR, type Alert, type Claim, type Month, type Transfer } from './month.ts'

export interface Rules {
  mode: 'propose' | 'auto-known' | 'auto'
  trusts: 'statement' | 'phone'
  perRequest: number
  perBuyerDay: number
  perDay: number
  unprovenMax: number
}

export interface Played {
  /** Claims of the owner's own money. */
  honest: number
  /** Honest claims that were decided without a person. */
  alone: number
  lastWeek: { honest: number; alone: number }
  /** Automatic approvals of money that was another's. */
  stolen: Wrong[]
  /** Automatic approvals of money that never came. */
  forged: Wrong[]
  /** Wrong requests that the bank "confirmed", so that a person tapped them. */
  tapped: number
  /** The most that was approved on forged alerts and not noticed yet, in rupees. */
  forgedAtOnce: number
  /** Honest requests whose money a statement showed while they waited. `oneTap` of them took one tap or none. */
  shown: { all: number; oneTap: number }
  /** Times that automation turned itself off. */
  switchedOff: number
  /** Automatic approvals of what was only proposed, also of an added sender's messages. */
  onProposals: number
  /** Added senders that a statement has proven, and those that one has ended. */
  senders: { proven: number; ended: number }
  /** What became of messages: `ignored` while the phone was paused, `otherwise` than their wording means. */
  heard: Record<'credit' | 'proposed' | 'hint' | 'refused' | 'trial' | 'ignored' | 'otherwise', number>
  broken: string[]
}

interface Wrong {
  rupees: number
  /** Hours until it was taken back; undefined when nobody noticed. */
  hours: number | undefined
  /** No statement has had time to show it before the month ends. */
  isLate: boolean
}

const STATEMENT_EVERY_DAYS = 2
/** The shopkeeper's hour, after midnight. */
const EVENING = 22 * HOUR
/** How often the store looks for what it has left, which is what a node left that died. */
const LOOKS_EVERY = 6 * HOUR
const REACHES_BACK_DAYS = 3
const REJECTED_AFTER_DAYS = 4
const PHONE = '9876543210'

/** @param onEvening is called each evening, when the shopkeeper has reviewed the day, counted from 0 */
export async function playMonth(
  store: ClockedStore,
  month: Month,
  rules: Rules,
  onEvening: (day: number) => Promise<void> = () => Promise.resolve(),
): Promise<Played> {
  await store.newPhone()
  await store.sure('PUT', '/bank/rules', rules)
  const shown = { all: 0, oneTap: 0 }
  const heard = { credit: 0, proposed: 0, hint: 0, refused: 0, trial: 0, ignored: 0, otherwise: 0 }
  const scene: Scene = { store, month, rules, filed: new Map(), refused: [], tapped: 0, shown, heard }
  await play(scene, onEvening)
  return judge(scene)
}

interface Scene {
  store: ClockedStore
  month: Month
  rules: Rules
  /** By the request's id. */
  filed: Map<string, Claim>
  /** Claims of own money that somebody else had claimed before. */
  refused: Claim[]
  tapped: number
  shown: { all: number; oneTap: number }
  heard: Played['heard']
}

async function play(scene: Scene, onEvening: (day: number) => Promise<void>): Promise<void> {
  const { store, month } = scene
  const events = [...month.events]
  for (let at = month.startsAt + (EVENING % LOOKS_EVERY); at <= month.endsAt; at += LOOKS_EVERY) {
    while ((events[0]?.at ?? Infinity) < at) {
      const event = events.shift()
      if (!event) break
      await store.moveTo(Math.max(event.at, store.now()))
      if (event.kind === 'claim') await file(scene, event)
      else if (store.bank !== 'ICICI') await hear(scene, event)
    }
    const sinceMidnight = (at - month.startsAt) % DAY
    await store.moveTo(Math.max(at, store.now()))
    await store.settle()
    if (sinceMidnight !== EVENING) continue
    const day = Math.floor((at - month.startsAt) / DAY)
    if (day % STATEMENT_EVERY_DAYS === 1) await upload(scene, day)
    await review(scene)
    await onEvening(day)
  }
}

async function file({ store, filed, refused }: Scene, claim: Claim): Promise<void> {
  const { by, rupees: amount, ref: utr } = claim
  const { status, body } = await store.as(by, '/payments/add-money', { amount, utr, payerName: PHONE })
  if (status < 300) filed.set(body.payment._id, claim)
  else if (body.code !== 'UTR_ALREADY_USED' && body.code !== 'TOO_MANY_PENDING')
    throw new Error(`A request was answered with ${status} ${JSON.stringify(body)}`)
  else if (claim.truth === 'own') refused.push(claim)
  await store.settle(claim.ref)
}

async function hear({ store, heard }: Scene, { ref, rupees, vpa, paidAt, said }: Alert): Promise<void> {
  const day = dayAt(paidAt).slice(2).split('-').toReversed().join('-')
  const told = { amount: rupees.toFixed(2), ref, day, vpa }
  const mixed = store.bank === 'mixed' ? mixedAlertOf(told) : undefined
  const { status, body } = await store.say({ from: KNOWN, text: alertOf(told), ...mixed?.message, ...said })
  if (status !== 200) throw new Error(`An alert was answered with ${status}`)
  const outcome = body.outcome as keyof Played['heard']
  heard[mixed && outcome !== 'ignored' && !mixed.mayCome.includes(outcome) ? 'otherwise' : outcome] += 1
}

const dayAt = (at: number): string => dayOf(new Date(at))

/** Uploads what the bank shows of the last days, and counts how many waiting requests that makes one tap. */
async function upload(scene: Scene, day: number): Promise<void> {
  const { store, month, filed } = scene
  const from = month.startsAt + Math.max(0, day - REACHES_BACK_DAYS) * DAY
  const known = month.transfers.filter(({ at }) => at <= store.now()).toSorted((a, b) => a.at - b.at)
  const opening = 100_000 + sum(known.filter(({ at }) => at < from))
  const rows = known
    .filter(({ at }) => at >= from)
    .map(({ ref, rupees, at, from: payer = 'FRIEND', vpa, note }) => ({
      refs: [ref],
      amount: rupees,
      day: dayAt(at),
      narration: () =>
        store.bank === 'ICICI'
          ? `UPI/${vpa}/${note}/AXIS BANK/${ref}/ICI3b51ff15b3d9779d3b/`
          : `UPI-${payer.toUpperCase()}-${vpa.toUpperCase()}-UTIB0000123-${ref}-${note}`,
    }))
  const shown = new Set(rows.flatMap(({ refs }) => refs))
  const waiting = (await pending(scene)).filter(({ _id, utr }) => filed.get(_id)?.truth === 'own' && shown.has(utr))
  const period = { tail: '5678', from: dayAt(from), to: dayAt(store.now()), opening }
  const { accountId } = store
  const text = store.bank === 'ICICI' ? iciciStatementOf(rows, period) : statementOf(rows, period)
  await store.sure('POST', '/bank/statements', { text, accountId })
  const left = await pending(scene)
  const byHand = waiting.filter(({ _id }) => left.some((row) => row._id === _id && row.bank?.verdict !== 'confirmed'))
  scene.shown.all += waiting.length
  scene.shown.oneTap += waiting.length - byHand.length
}

const sum = (transfers: readonly Transfer[]) => transfers.reduce((total, { rupees }) => total + rupees, 0)

interface Row {
  _id: string
  utr: string
  createdAt: string
  bank?: { verdict: string; creditId?: string; amount?: number }
}

async function pending({ store }: Scene): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = (await store.sure('GET', `/payments?status=pending&limit=100&skip=${rows.length}`)) as {
      payments: Row[]
      total: number
    }
    rows.push(...page.payments)
    if (page.payments.length === 0 || rows.length >= page.total) return rows
  }
}

/** A careful evening: alarms first, then pending requests. In doubt the shopkeeper calls the buyers. */
async function review(scene: Scene): Promise<void> {
  await answerAlarms(scene)
  if (scene.store.bank === 'mixed') await addSender(scene)
  for (const row of await pending(scene)) await decide(scene, row)
  // A buyer whose UTR another one used sends it again, and is believed
  const again = scene.refused.splice(0)
  for (const claim of again) await file(scene, claim)
  const refs = new Set(again.map(({ ref }) => ref))
  for (const row of await pending(scene)) if (refs.has(row.utr)) await decide(scene, row)
}

/** The shopkeeper adds a sender whose messages were refused, also again after a statement has ended it. */
async function addSender({ store }: Scene): Promise<void> {
  const { status, body } = await store.asOwner('POST', '/bank/senders', { accountId: store.accountId, header: ADDED })
  // It is added already, or has sent nothing today
  if (status >= 300 && body.code !== 'NOT_FOUND')
    throw new Error(`A sender was answered with ${status} ${JSON.stringify(body)}`)
}

async function answerAlarms({ store, filed, rules }: Scene): Promise<void> {
  const { alarms } = (await store.sure('GET', '/bank/alarms?open=true&limit=100')) as {
    alarms: { _id: string; kind: string; topUpId: string | null }[]
  }
  for (const { _id, kind, topUpId } of alarms) {
    const claim = topUpId === null ? undefined : filed.get(topUpId)
    if (claim && claim.truth !== 'own')
      await store.asOwner('POST', `/payments/${topUpId}/take-back`, { reason: 'Not your money' })
    if (kind !== 'automation-off') await store.sure('PUT', `/bank/alarms/${_id}`, { note: 'Seen' })
  }
  const { devices } = (await store.sure('GET', '/bank/devices')) as { devices: { pausedAt: string | null }[] }
  if (devices[0]?.pausedAt) await store.newPhone()
  const { mode } = (await store.sure('GET', '/bank/rules')) as Rules
  if (mode !== rules.mode) await store.sure('PUT', '/bank/rules', rules)
}

const ASKED = ['rivals', 'payer', 'late', 'hint', 'differs']

async function decide(scene: Scene, { _id, createdAt, bank }: Row): Promise<void> {
  const { store, month, filed } = scene
  const claim = filed.get(_id)
  const { verdict = 'unseen', creditId, amount } = bank ?? {}
  if (!claim) return
  const isTrue = claim.truth === 'own' && month.transfers.some(({ ref, at }) => ref === claim.ref && at <= store.now())
  if (verdict === 'confirmed' || (ASKED.includes(verdict) && isTrue)) {
    if (!isTrue) scene.tapped += 1
    await store.sure('PUT', `/payments/${_id}/approve`)
  } else if (verdict === 'amount' && claim.truth === 'slip') {
    await store.sure('PUT', `/payments/${_id}/credit-instead`, { creditId, expectedAmount: amount })
  } else if (ASKED.includes(verdict) || store.now() - Date.parse(createdAt) > REJECTED_AFTER_DAYS * DAY) {
    await store.sure('PUT', `/payments/${_id}/reject`, { reason: 'Not yours' })
  }
}

const Made = z.object({
  topUpId: z.string(),
  how: z.string(),
  rupees: z.number(),
  madeAt: z.date(),
  releasedAt: z.nullable(z.date()),
})

async function judge(scene: Scene): Promise<Played> {
  const { store, month, filed, tapped, shown, heard } = scene
  const made = await store.db.rows(sql(Made)`
    select match.topup_id as top_up_id, how, credit_paise / 100 as rupees, made_at,
           released_at
      from bank_matches match join topup_requests request on request.id = topup_id
     where how = 'auto' order by made_at`)
  // A statement had time to show it
  const judgedUntil = month.endsAt - (STATEMENT_EVERY_DAYS + 1) * DAY
  const wrong = made.flatMap(({ topUpId, rupees, madeAt, releasedAt }) => {
    const truth = filed.get(topUpId)?.truth
    const hours = releasedAt ? (releasedAt.getTime() - madeAt.getTime()) / HOUR : undefined
    const isLate = madeAt.getTime() >= judgedUntil
    return truth === 'own' ? [] : [{ truth, rupees, hours, isLate, madeAt: madeAt.getTime() }]
  })
  const forged = wrong.filter(({ truth }) => truth === 'forged')
  const isAlone = new Set(made.map(({ topUpId }) => topUpId))
  const judged = [...filed].filter(([, { truth, at }]) => truth === 'own' && at < judgedUntil)
  const recent = judged.filter(([, { at }]) => at > month.endsAt - 10 * DAY)
  const countAlone = (some: typeof judged) => some.filter(([id]) => isAlone.has(id)).length
  const Counted = z.object({
    off: z.number(),
    provenSenders: z.number(),
    endedSenders: z.number(),
    onProposals: z.number(),
  })
  const counted = await store.db.one(sql(Counted)`
    select (select count(*) from bank_alarms where kind = 'automation-off') as off,
           (select count(*) from bank_senders where proven_at is not null) as proven_senders,
           (select count(*) from bank_senders where ended_why = 'contradicted') as ended_senders,
           (select count(*) from bank_matches where how = 'auto' and proof_then = 'none') as on_proposals`)
  return {
    honest: judged.length,
    alone: countAlone(judged),
    lastWeek: { honest: recent.length, alone: countAlone(recent) },
    stolen: wrong.filter(({ truth }) => truth !== 'forged'),
    forged,
    tapped,
    forgedAtOnce: Math.max(
      0,
      ...forged.map(({ madeAt }) =>
        forged
          .filter((one) => one.madeAt <= madeAt && one.madeAt + (one.hours ?? Infinity) * HOUR > madeAt)
          .reduce((total, { rupees }) => total + rupees, 0),
      ),
    ),
    shown,
    switchedOff: counted.off,
    onProposals: counted.onProposals,
    senders: { proven: counted.provenSenders, ended: counted.endedSenders },
    heard,
    broken: (await findBroken(store.db, 'server/migrations')).map(({ invariant }) => invariant),
  }
}
