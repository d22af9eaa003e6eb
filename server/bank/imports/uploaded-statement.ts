/** A statement that an admin uploads: reading it, whose it is, and its row among the imports. */
import * as z from 'zod/mini'
import { bankKey } from '../../../contract/banks.ts'
import type { bank } from '../../../contract/bank.ts'
import { Refusal } from '../../../contract/errors.ts'
import { dayAfter, dayOf } from '../../../contract/india.ts'
import { STATEMENT_BYTES_MAX } from '../../../contract/limits.ts'
import { sql, type Queries, type Transaction, columns } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import { newId } from '../../platform/ids.ts'
import { creditsOf } from '../credits/statement-credits.ts'
import type { Pair } from '../matching/match-facts.ts'
import { findConfirmed } from '../matching/payment-bank.ts'
import { readStatementInTurns } from '../reading/statements/read-statement.ts'
import { isReport, isGuessed } from '../reading/statements/statement-reports.ts'
import { misdated, unreadable } from '../reading/statements/statement-lines.ts'
import type { Statement, StatementOptions, StatementLine } from '../reading/statements/statement.ts'
import { readLayout } from './layouts.ts'

export type Upload = Omit<z.output<(typeof bank.preview)['input']>, 'accountId'>
export type Account = z.output<typeof AccountRow>

export const IMPORT_TIMEOUT_MS = 60_000
/** Banks date a deposit on a holiday with the next working day. */
const DAYS_AHEAD_MAX = 7

export const AccountRow = z.object({ id: z.string(), bank: z.string(), tail: z.string() })

/**
 * @param accountId whose earlier imports may prove its first row
 * @param tail of that account. Rows that a payment app calls another's are left out
 * @throws Refusal STATEMENT_UNREADABLE, PAYLOAD_TOO_LARGE
 */
export async function readUpload(
  db: Queries,
  { text, columns, source }: Upload,
  { accountId, tail, now }: { accountId: string; tail?: string | undefined; now: Date },
): Promise<Statement> {
  if (Buffer.byteLength(text) > STATEMENT_BYTES_MAX) throw new Refusal('PAYLOAD_TOO_LARGE')
  const chosen = columns ?? (await readLayout(db, text))
  const statement = await readStatementInTurns(text, {
    ...(chosen && { columns: chosen }),
    ...(accountId !== 'none' && { closingBefore: await closingsOf(db, accountId) }),
  })
  // The columns of a PDF may be misread. Only its balances show that, or the words of an app that is known
  if (
    source === 'pdf' &&
    (statement.bank === null || !isReport(statement.layout)) &&
    statement.lines.some(({ balancePaise }) => balancePaise === null)
  )
    throw new Refusal('STATEMENT_UNREADABLE', { message: 'This PDF has no balances. Choose CSV or Excel instead.' })
  // A period without rows is taken if its balance is the one before it
  if (statement.lines.length === 0 && statement.balances !== 'proven')
    throw unreadable(statement.problems[0]?.text ?? 'We found no rows with a date and an amount in it.')
  // Banks print the end of the period that was asked for, but no row is of a day to come. Months may be read as days
  const { covers } = statement
  const today = dayOf(now)
  const ahead = statement.lines.find(({ day }) => day > dayAfter(today, DAYS_AHEAD_MAX))
  if (ahead) throw misdated(ahead.line)
  const ended = (day: string): string => (day < today ? day : today)
  const own = statement.lines.filter((line) => tail === undefined || line.tail === undefined || isTail(line.tail, tail))
  if (own.length === 0 && statement.lines.length > 0) throw unreadable('All rows of this file are of another account.')
  return {
    ...statement,
    lines: await provenAsReports(db, { ...statement, lines: own }),
    ...(covers && { covers: { from: ended(covers.from), to: ended(covers.to) } }),
  }
}

const isTail = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one)
export const isOf = (statement: Statement, { bank, tail }: Account): boolean =>
  (statement.tail === null || isTail(statement.tail, tail)) &&
  (statement.bank === null || isReport(statement.layout) || [statement.bank, undefined].includes(bankKey(bank)))

/** What the proven imports of an account, or of any, ended with, for a file that follows one. */
async function closingsOf(db: Queries, accountId: string): Promise<NonNullable<StatementOptions['closingBefore']>> {
  const ends = await db.rows(sql(() => z.object({ day: z.string(), closing: z.number() }))`
    select distinct covers_to::text as day, closing_paise as closing from bank_imports
     where (account_id::text = ${accountId} or ${accountId === 'any'})
       and balances = 'proven' and closing_paise is not null`)
  return (firstDay) => {
    const before = ends.filter(({ day }) => day <= firstDay)
    const last = before
      .map(({ day }) => day)
      .toSorted()
      .at(-1)
    return before.filter(({ day }) => day === last).map(({ closing }) => closing)
  }
}

const Imported = z.object({ id: z.string(), from: z.string(), to: z.string() })

/**
 * @returns the import and its period; undefined when the same file was imported before, unless its balances are proven
 *   only now, because the file before it has come. The period then ends where it ended at the first upload
 */
export async function insertImport(
  tx: Transaction,
  statement: Statement,
  { account, sha256, by }: { account: Pick<Account, 'id'>; sha256: Buffer; by: Call<'admin'> },
): Promise<z.output<typeof Imported> | undefined> {
  const days = statement.lines.map(({ day }) => day).toSorted()
  const covers = statement.covers ?? { from: days[0] ?? '', to: days.at(-1) ?? '' }
  const credits = creditsOf(statement).length
  return tx.maybe(sql(Imported)`
    insert into bank_imports (id, account_id, sha256, layout, balances, covers_from, covers_to, opening_paise,
                              closing_paise, lines, credits, new_credits, admin_id, created_at)
    values (${newId()}, ${account.id}, ${sha256}, ${statement.layout}, ${statement.balances}, ${covers.from},
            ${covers.to}, ${statement.opening}, ${statement.closing}, ${statement.lines.length}, ${credits}, 0,
            ${by.admin.id}, ${by.now})
    on conflict (account_id, sha256) do update
       set balances = excluded.balances, opening_paise = excluded.opening_paise, closing_paise = excluded.closing_paise
     where bank_imports.balances <> 'proven' and excluded.balances = 'proven'
    returning id, covers_from::text as from, covers_to::text as to`)
}

/** @returns the pending requests that a recorded statement confirms */
export function readConfirmed(db: Queries, { lines }: Statement): Promise<Pair[]> {
  const refs = lines.flatMap((line) => line.refs)
  return findConfirmed(db, sql`credit.id in (select credit_id from bank_credit_refs where ref = any(${refs}::text[]))`)
}

/** @returns a file's lines, with what they prove */
async function provenAsReports(db: Queries, statement: Statement): Promise<StatementLine[]> {
  if (!isGuessed(statement.layout) || (await hasAgreed(db, statement))) return statement.lines
  return statement.lines.map((line) => ({ ...line, proof: 'none' }))
}

/** True if a bank's statement has proven a row of this report, or of an earlier one in its layout. */
function hasAgreed(db: Queries, { layout, lines }: Statement): Promise<boolean> {
  const rows = lines.flatMap(({ refs, amountPaise }) => refs.map((ref) => ({ ref, amountPaise })))
  return db.holds(sql`
    select exists (select from bank_credits credit join bank_imports on bank_imports.id = credit.import_id
                    where layout = ${layout} and proof = 'statement')
        or exists (select from ${columns(rows, 'ref text, amount_paise bigint')} as line
                     join bank_credit_refs using (ref) join bank_credits credit on credit.id = credit_id
                    where proof = 'statement' and credit.amount_paise = line.amount_paise)`)
}
