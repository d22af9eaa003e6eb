/**
 * Records money that a source has seen. One transfer has one row, by the bank's reference, however often it is seen.
 * A source that agrees may raise its proof. A source that disagrees proves nothing: it leaves a mark.
 */
import * as z from 'zod/mini'
import { CreditKind, Proof } from '../../../contract/bank-shapes.ts'
import { columns, sql, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { mapYielding } from '../../platform/load/map-yielding.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import { pauseAlertsOf, raiseAlarm, switchOff } from './alarms.ts'
import { IS_PROPOSED, MATCH_OF_CREDIT } from './credit-states.ts'
import { daysBetween } from '../../../contract/india.ts'

/** What one line or message reports of a transfer. */
export interface SeenCredit {
  amountPaise: number
  /** A day in India, as YYYY-MM-DD. */
  day: string
  at: Date | null
  /** In the form of UTRs. Empty only with a `lineKey`. */
  refs: readonly string[]
  kind: CreditKind
  proof: Proof
  payerName: string
  payerVpa: string | null
  note: string
  /** Identifies a statement's line that has no reference. */
  lineKey: Buffer | null
  line: number | null
}

/** Exactly one of `importId` and `deviceId`. */
export interface Source {
  accountId: string
  importId: string | null
  deviceId: string | null
  sealer: Sealer
  now: Date
}

interface RecordedCredit {
  creditId: string
  isNew: boolean
  /** False if it contradicts the credit with the same reference. */
  agrees: boolean
}

const AT_ONCE = 1_000
const DAYS_APART_MAX = 3
/** One recording at a time, so that two never make two credits of one transfer. */
const RECORDING_LOCK = 7_016
const STRENGTH: Record<Proof, number> = { none: 0, alert: 1, report: 2, statement: 3 }

const KnownRow = z.object({
  id: z.string(),
  refs: z.array(z.string()),
  lineKey: z.nullable(z.instanceof(Buffer)),
  accountId: z.string(),
  amountPaise: z.number(),
  day: z.string(),
  kind: CreditKind,
  proof: Proof,
  differs: z.boolean(),
  isMatched: z.boolean(),
  /** It was read from the parts of a message, because no template fits. */
  isProposed: z.boolean(),
  /** Credited automatically on alerts alone. */
  unprovenPaise: z.number(),
})
type Known = z.output<typeof KnownRow>

export const lockRecording = (tx: Transaction): Promise<unknown> =>
  tx.run(sql`select pg_advisory_xact_lock(${RECORDING_LOCK})`)

/** A new record may disprove a decision and turn the rules off. So the rules are locked before the credits. */
const lockRules = (tx: Transaction): Promise<unknown> => tx.run(sql`select from bank_rules for update`)

/** @returns what happened to each, in order */
export async function recordCredits(
  tx: Transaction,
  source: Source,
  seen: readonly SeenCredit[],
): Promise<RecordedCredit[]> {
  await lockRecording(tx)
  if (source.importId !== null) await lockRules(tx)
  const recorded: RecordedCredit[] = []
  for (let start = 0; start < seen.length; start += AT_ONCE)
    recorded.push(...(await recordSome(tx, source, seen.slice(start, start + AT_ONCE))))
  return recorded
}

async function recordSome(tx: Transaction, source: Source, seen: readonly SeenCredit[]): Promise<RecordedCredit[]> {
  let known = await readKnown(tx, seen)
  if (source.importId === null && known.length > 0) {
    // A decision on them may be running. It holds the rules' lock until its match is committed
    await lockRules(tx)
    known = await readKnown(tx, seen)
  }
  const byRef = new Map(known.flatMap((credit) => credit.refs.map((ref) => [ref, credit])))
  const byLine = new Map(known.flatMap((credit) => (credit.lineKey ? [[credit.lineKey.toString('hex'), credit]] : [])))
  const fresh: { credit: Known; seen: SeenCredit }[] = []
  const again: { credit: Known; seen: SeenCredit }[] = []
  const replaced: { credit: Known; seen: SeenCredit }[] = []
  const byName = new Map<string, string>()
  const result = seen.map((each): RecordedCredit => {
    const line = each.lineKey?.toString('hex')
    const all = new Set([
      ...each.refs.flatMap((ref) => byRef.get(ref) ?? []),
      ...(line === undefined ? [] : [byLine.get(line) ?? []].flat()),
    ])
    const reported = [...all].filter(({ isProposed }) => !isProposed)
    const found = reported.length > 0 ? reported : [...all]
    const [credit = newCredit(source, each)] = found
    const isNew = found.length === 0
    if (!isNew && isProposal(source, each)) return { creditId: credit.id, isNew, agrees: true }
    const isReplaced = credit.isProposed && !isNew && (found.length > 1 || !isSame(credit, each))
    // Two credits under the references of one line cannot both be right
    const agrees = isNew || isReplaced || (found.length === 1 && isSame(credit, each))
    if (isNew) fresh.push({ credit, seen: each })
    else if (isReplaced)
      replaced.push({ credit: Object.assign(credit, newCredit(source, each), { id: credit.id }), seen: each })
    else again.push({ credit, seen: each })
    if (agrees)
      for (const ref of each.refs.filter((one) => byRef.get(one)?.isProposed !== false)) {
        byName.set(ref, credit.id)
        byRef.set(ref, credit)
      }
    if (line !== undefined) byLine.set(line, credit)
    return { creditId: credit.id, isNew, agrees }
  })
  await insertCredits(tx, source, fresh)
  await replaceProposals(tx, source, replaced)
  const refs = [...byName].map(([ref, creditId]) => ({ ref, creditId }))
  await tx.run(sql`
    insert into bank_credit_refs (ref, credit_id)
    select * from ${columns(refs, 'ref text, credit_id uuid')} as found
        on conflict (ref) do update set credit_id = excluded.credit_id`)
  await raiseProofs(
    tx,
    source,
    again.filter(({ credit, seen }) => isSame(credit, seen)),
  )
  for (const { credit, seen: each } of again.filter(({ credit, seen }) => !isSame(credit, seen)))
    await noteDifference(tx, source, credit, each)
  return result
}

/** A message that was read by its parts. It adds money that nothing else shows, and says nothing of other money. */
const isProposal = ({ importId }: Source, { proof }: SeenCredit): boolean => importId === null && proof === 'none'

const isSame = (credit: Known, seen: SeenCredit): boolean =>
  credit.amountPaise === seen.amountPaise &&
  daysBetween(credit.day, seen.day) <= DAYS_APART_MAX &&
  (credit.kind === seen.kind || credit.kind === 'own' || (seen.kind === 'own' && seen.refs.length === 0))

const newCredit = (source: Source, seen: SeenCredit): Known => ({
  id: newId(),
  refs: [...seen.refs],
  lineKey: seen.lineKey,
  accountId: source.accountId,
  amountPaise: seen.amountPaise,
  day: seen.day,
  kind: seen.kind,
  proof: seen.proof,
  differs: false,
  isMatched: false,
  isProposed: isProposal(source, seen),
  unprovenPaise: 0,
})

function readKnown(tx: Transaction, seen: readonly SeenCredit[]): Promise<Known[]> {
  const refs = seen.flatMap((each) => each.refs)
  const lines = seen.flatMap((each) => each.lineKey ?? [])
  return tx.rows(sql(KnownRow)`
    select credit.id, array(select ref from bank_credit_refs where credit_id = credit.id) as refs,
           line_key, account_id, amount_paise, day::text as day, kind,
           proof, differs, match.id is not null as is_matched,
           ${IS_PROPOSED} as is_proposed,
           case when match.how = 'auto' and proof = 'alert'
                then (select credit_paise from topup_requests where id = match.topup_id) else 0 end as unproven_paise
      from (select credit_id as id from bank_credit_refs where ref = any(${refs}::text[])
            union
            select id from bank_credits where line_key = any(${lines}::bytea[])) found
      join bank_credits credit using (id)
      left join ${MATCH_OF_CREDIT}
     order by credit.id`)
}

/** A handle that the bank cut off is another person's, or nobody's. */
const WHOLE_VPA = /^[^\s@]+@[a-z][a-z0-9.-]{2,}$/

/** @returns a payer's VPA, sealed, and what identifies the payer: null for a VPA that is cut off */
function payerOf(
  sealer: Sealer,
  creditId: string,
  { payerVpa }: SeenCredit,
): { payerSealed: Buffer | null; payerKey: Buffer | null } {
  if (payerVpa === null) return { payerSealed: null, payerKey: null }
  const plain = payerVpa.toLowerCase()
  const payerKey = WHOLE_VPA.test(plain) ? sealer.fingerprint(`bank payer ${plain}`) : null
  return { payerSealed: sealer.seal('payer', creditId, payerVpa), payerKey }
}

async function insertCredits(
  tx: Transaction,
  { importId, sealer, now }: Source,
  fresh: readonly { credit: Known; seen: SeenCredit }[],
): Promise<void> {
  if (fresh.length === 0) return
  const rows = await mapYielding(fresh, ({ credit: { id, accountId }, seen }) => {
    return { ...seen, id, accountId, ...payerOf(sealer, id, seen) }
  })
  await tx.run(sql`
    insert into bank_credits (id, account_id, amount_paise, day, at, kind, proof, proven_at, payer_name, payer_sealed,
                              payer_key, note, line_key, import_id, first_seen_at)
    select id, account_id, amount_paise, day, at, kind, proof,
           case when proof in ('report', 'statement') then ${now}::timestamptz end,
           payer_name, payer_sealed, payer_key, note, line_key, ${importId}::uuid, ${now}
      from ${columns(
        rows,
        `id uuid, account_id uuid, amount_paise bigint, day date, at timestamptz, kind text,
          proof text, payer_name text, payer_sealed bytea, payer_key bytea, note text, line_key bytea`,
      )} as credit`)
}

/** What a template, a file or a report says stands instead of what was read by parts. */
async function replaceProposals(
  tx: Transaction,
  { importId, sealer, now }: Source,
  replaced: readonly { credit: Known; seen: SeenCredit }[],
): Promise<void> {
  for (const { credit, seen } of replaced) {
    const { payerSealed, payerKey } = payerOf(sealer, credit.id, seen)
    await tx.run(sql`
      update bank_credits
         set account_id = ${credit.accountId}, amount_paise = ${seen.amountPaise}, day = ${seen.day}::date,
             at = ${seen.at}, kind = ${seen.kind}, proof = ${seen.proof}, import_id = ${importId},
             proven_at = case when ${STRENGTH[seen.proof] >= STRENGTH.report} then ${now}::timestamptz end,
             payer_name = ${seen.payerName}, payer_sealed = ${payerSealed}, payer_key = ${payerKey},
             note = ${seen.note}
       where id = ${credit.id}`)
  }
}

/** Adds what an agreeing source knows, and subtracts newly proven credits from the unproven sum. */
async function raiseProofs(
  tx: Transaction,
  { importId, sealer, now }: Source,
  seen: readonly { credit: Known; seen: SeenCredit }[],
): Promise<void> {
  // One line for each credit, the strongest: an update would take any of several
  const strongest = seen.toSorted((a, b) => STRENGTH[a.seen.proof] - STRENGTH[b.seen.proof])
  const again = [...new Map(strongest.map((each) => [each.credit.id, each])).values()]
  const raised = new Set(again.filter(({ credit, seen }) => STRENGTH[seen.proof] > STRENGTH[credit.proof]))
  const proven = [...raised].filter(({ seen }) => STRENGTH[seen.proof] >= STRENGTH.report)
  const provenPaise = proven.reduce((sum, { credit }) => sum + credit.unprovenPaise, 0)
  if (provenPaise > 0) await tx.run(sql`update bank_rules set unproven_paise = unproven_paise - ${provenPaise}`)
  if (again.length === 0) return
  const rows = again.map((each) => {
    return { ...each.seen, id: each.credit.id, raises: raised.has(each), ...payerOf(sealer, each.credit.id, each.seen) }
  })
  await tx.run(sql`
    update bank_credits credit
       set proof = case when seen.raises then seen.proof else credit.proof end,
           proven_at = case when seen.raises and seen.proof in ('report', 'statement') then ${now}
                            else credit.proven_at end,
           at = coalesce(credit.at, seen.at),
           payer_name = case when credit.payer_name = '' then seen.payer_name else credit.payer_name end,
           payer_sealed = coalesce(credit.payer_sealed, seen.payer_sealed),
           payer_key = coalesce(credit.payer_key, seen.payer_key),
           note = case when credit.note = '' then seen.note else credit.note end,
           import_id = coalesce(credit.import_id, ${importId}::uuid)
      from ${columns(
        rows,
        `id uuid, raises boolean, proof text, at timestamptz, payer_name text, payer_sealed bytea, payer_key bytea,
          note text`,
      )} as seen
     where credit.id = seen.id
       and (seen.raises or credit.import_id is null or credit.at is null or credit.payer_key is null)`)
}

/** Marks a credit that a source contradicts. Its proof stays as it was. */
async function noteDifference(tx: Transaction, source: Source, credit: Known, seen: SeenCredit): Promise<void> {
  const { accountId, importId, deviceId, sealer, now } = source
  const key = ['bank line', accountId, ...seen.refs, seen.amountPaise, seen.day].join(' ')
  const noted =
    importId === null
      ? 1
      : await tx.run(sql`
    insert into bank_sightings (id, source_key, import_id, credit_id, outcome, why, account_id, amount_paise, day, at,
                                line, seen_at)
    values (${newId()}, ${sealer.fingerprint(key)}, ${importId}, ${credit.id}, 'credit', 'differs', ${accountId},
            ${seen.amountPaise}, ${seen.day}, ${seen.at}, ${seen.line}, ${now})
    on conflict (source_key) do nothing`)
  if (noted === 0) return
  await tx.run(sql`update bank_credits set differs = true where id = ${credit.id}`)
  if (!credit.isMatched) return
  const alarm = { creditId: credit.id, deviceId }
  await raiseAlarm(tx, 'amount-after-approval', alarm, now)
  await pauseAlertsOf(tx, credit.id, { deviceId, now }, 'sources-differ')
  await switchOff(tx, 'sources-differ', now)
}
