/** Sorts a statement's lines: credits, money that left, and lines with too few facts. */
import * as z from 'zod/mini'
import type { CreditKind } from '../../../contract/bank-shapes.ts'
import { columns, sql, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { mapYielding } from '../../platform/load/map-yielding.ts'
import { raiseAlarm } from './alarms.ts'
import { MATCH_OF_CREDIT } from './credit-states.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import type { LeftMoney } from '../reading/references.ts'
import type { SeenCredit, Source } from './record-credits.ts'
import type { Statement, StatementLine } from '../reading/statements/statement.ts'

const isCredit = ({ direction }: StatementLine): boolean => direction === 'credit'
const isBare = ({ refs, balancePaise }: StatementLine): boolean => refs.length === 0 && balancePaise === null
const debitKey = ({ sealer }: Pick<Source, 'sealer'>, ref: string): Buffer => sealer.fingerprint(`bank debit ${ref}`)

/** @returns the lines that are credits. A line with neither a reference nor a balance isn’t one */
export const creditsOf = ({ lines }: Statement): StatementLine[] =>
  lines.filter((line) => isCredit(line) && !isBare(line))

type TransferFacts = Pick<SeenCredit, 'refs' | 'day' | 'kind'>

/** @returns the kind of each credit. It is no payment if money left under the same reference before */
export async function kindsBesideDebits(
  tx: Transaction,
  source: Source,
  credits: readonly Pick<TransferFacts, 'refs'>[],
): Promise<(credit: TransferFacts) => CreditKind> {
  const left = await readDebits(tx, source, [...new Set(credits.flatMap(({ refs }) => refs))])
  return ({ kind, refs, day }) => {
    const debits = refs.flatMap((ref) => left.get(ref) ?? [])
    if (debits.some(({ accountId }) => accountId !== source.accountId)) return 'own'
    return debits.some((debit) => debit.day <= day) ? 'reversal' : kind
  }
}

/** @returns the credits of a statement */
export async function seenCredits(tx: Transaction, source: Source, statement: Statement): Promise<SeenCredit[]> {
  const lines = creditsOf(statement)
  const kindOf = await kindsBesideDebits(tx, source, lines)
  return mapYielding(lines, (line) => ({
    amountPaise: line.amountPaise,
    day: line.day,
    at: line.at,
    refs: line.refs,
    kind: kindOf(line),
    proof: line.proof,
    payerName: line.payerName,
    payerVpa: line.payerVpa,
    note: line.note,
    lineKey: line.refs.length > 0 ? null : keyOf(source, line),
    line: line.line,
  }))
}

const keyOf = ({ accountId, sealer }: Source, { day, amountPaise, balancePaise, narration }: StatementLine): Buffer =>
  sealer.fingerprint(['bank line', accountId, day, amountPaise, balancePaise, narration].join(' '))

interface Debit {
  accountId: string
  day: string
}

async function readDebits(tx: Transaction, source: Source, refs: readonly string[]): Promise<Map<string, Debit[]>> {
  const keys = await mapYielding(refs, (ref) => debitKey(source, ref))
  const rows = await tx.rows(sql(() => z.object({ ref: z.string(), accountId: z.string(), day: z.string() }))`
    select wanted.ref, account_id, day::text as day
      from unnest(${refs}::text[], ${keys}::bytea[]) as wanted (ref, ref_key)
      join bank_debit_refs using (ref_key)`)
  const debits = new Map<string, Debit[]>()
  for (const { ref, ...debit } of rows) debits.set(ref, [...(debits.get(ref) ?? []), debit])
  return debits
}

/**
 * Remembers the references of money that left, as fingerprints. A credit under one of them was taken back, or was the
 * store's own money.
 * @returns how many alarms were raised
 */
export async function recordDebits(tx: Transaction, source: Source, { lines }: Statement): Promise<number> {
  const debits = lines.filter((line) => !isCredit(line)).flatMap(({ refs, day }) => refs.map((ref) => ({ ref, day })))
  if (debits.length === 0) return 0
  await noteDebits(
    tx,
    source.sealer,
    debits.map((debit) => ({ ...debit, accountId: source.accountId })),
  )
  const credits = await tx.rows(sql(() =>
    z.object({ id: z.string(), isHere: z.boolean(), topUpId: z.nullable(z.string()) }),
  )`
    select distinct credit.id, credit.account_id = ${source.accountId} as is_here, match.topup_id as top_up_id
      from ${columns(debits, 'ref text, day date')} as debit
      join bank_credit_refs using (ref)
      join bank_credits credit on credit.id = credit_id and credit.kind = 'payment'
                              and (credit.day <= debit.day or credit.account_id <> ${source.accountId})
      left join ${MATCH_OF_CREDIT}`)
  let alarms = 0
  for (const { id, isHere, topUpId } of credits) {
    if (topUpId !== null) {
      if (await raiseAlarm(tx, 'taken-back-by-bank', { creditId: id, topUpId }, source.now)) alarms += 1
    } else {
      const change = isHere ? sql`differs = true` : sql`kind = 'own'`
      await tx.run(sql`update bank_credits set ${change} where id = ${id}`)
    }
  }
  return alarms
}

export async function noteDebits(tx: Transaction, sealer: Sealer, debits: readonly LeftMoney[]): Promise<void> {
  const keyed = await mapYielding(debits, ({ ref, ...debit }) => ({ ...debit, refKey: debitKey({ sealer }, ref) }))
  await tx.run(sql`
    insert into bank_debit_refs (ref_key, account_id, day)
    select ref_key, account_id, min(day)
      from ${columns(keyed, 'ref_key bytea, account_id uuid, day date')} as debit group by ref_key, account_id
    on conflict do nothing`)
}

/** Notes lines with neither a reference nor a balance. Nothing identifies them, so they are no credit. */
export async function recordUnread(tx: Transaction, source: Source, { lines }: Statement): Promise<void> {
  const { accountId, importId, sealer, now } = source
  const bare = lines
    .filter((line) => isCredit(line) && isBare(line))
    .map((line) => {
      const id = newId()
      return {
        ...line,
        id,
        sourceKey: keyOf(source, line),
        textSealed: sealer.seal('bank-sighting', id, line.narration),
      }
    })
  await tx.run(sql`
    insert into bank_sightings (id, source_key, import_id, outcome, why, account_id, amount_paise, day, at, line,
                                text_sealed, seen_at)
    select id, source_key, ${importId}::uuid, 'unread', 'bare-line', ${accountId}::uuid,
           amount_paise, day, at, line, text_sealed, ${now}
      from ${columns(
        bare,
        `id uuid, source_key bytea, amount_paise bigint, day date, at timestamptz, line int,
          text_sealed bytea`,
      )} as line
    on conflict (source_key) do nothing`)
}
