/** An admin uploads a statement: it is read, recorded, and its money finds its requests. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { ImportResult, StatementColumns, StatementPreview } from '../../../contract/bank-shapes.ts'
import { Refusal } from '../../../contract/errors.ts'
import { STATEMENT_BYTES_MAX } from '../../../contract/limits.ts'
import { paise, toRupees } from '../../../contract/money.ts'
import { audit } from '../../audit/audit.ts'
import { sql, type Queries, type Transaction } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import { newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { insertAccount } from '../credits/accounts.ts'
import { bankKey } from '../../../contract/banks.ts'
import { dayOf } from '../../../contract/india.ts'
import { judge, whyHeld } from '../matching/decide-match.ts'
import { judgeReadings } from '../alerts/readings.ts'
import { checkAgainst } from './check-earlier.ts'
import { readImport } from './list-imports.ts'
import { readBuyers, readPairs, readRules, SAME_REFERENCE, type Pair } from '../matching/match-facts.ts'
import { keepLayout, readLayout } from './layouts.ts'
import { readStatementInTurns } from '../statements/read-statement.ts'
import { recordCredits } from '../credits/record-credits.ts'
import { creditsOf, recordDebits, recordUnread, seenCredits } from '../credits/statement-credits.ts'
import { settle } from '../matching/settle.ts'
import type { Statement, StatementOptions } from '../statements/statement.ts'
import { provenAsReports } from './guessed-reports.ts'
import { isReport } from '../statements/statement-reports.ts'

interface Upload {
  text: string
  columns?: StatementColumns | undefined
  source?: 'pdf' | undefined
}
type Account = z.output<typeof AccountRow>

const IMPORT_TIMEOUT_MS = 60_000
const ROWS_SHOWN = 50

const AccountRow = z.object({ id: z.string(), bank: z.string(), tail: z.string() })

/** @throws Refusal STATEMENT_UNREADABLE, PAYLOAD_TOO_LARGE */
export async function previewStatement(
  { db, sealer }: Services,
  { accountId, ...upload }: Upload & { accountId?: string | null | undefined },
  by: Call<'admin'>,
): Promise<StatementPreview> {
  const accounts = await db.rows(AccountRow, sql`select id, bank, tail from bank_accounts where closed_at is null`)
  const chosen = accounts.find(({ id }) => id === accountId)
  const unassigned = await read(db, upload, { accountId: chosen?.id ?? 'any', now: by.now })
  const account = chosen ?? accounts.find((one) => unassigned.tail !== null && isOf(unassigned, one)) ?? null
  const statement =
    account === chosen ? unassigned : await read(db, upload, { accountId: account?.id ?? 'none', now: by.now })
  const { bank, tail } = statement
  // What a file of an unknown account would do once that is added
  const added = bank === null || tail === null ? null : { bank, tail, label: bank, feedsStore: true }
  const into = account ?? added
  const found = into
    ? await rehearse(db, async (tx) => {
        const id = 'id' in into ? into.id : await insertAccount(tx, into, by)
        const importId =
          (await insertImport(tx, statement, { account: { id }, sha256: Buffer.from(newId()), by })) ?? null
        const source = { accountId: id, importId, deviceId: null, sealer, now: by.now }
        const recorded = await recordCredits(tx, source, await seenCredits(tx, source, statement))
        await recordDebits(tx, source, statement)
        const known = recorded.filter(({ isNew }) => !isNew).length
        return { known, ...(await countMatches(tx, statement, by.now)) }
      })
    : { known: 0, confirmed: 0, approvesNow: 0 }
  const named = account ?? { id: null, bank: statement.bank, tail: statement.tail }
  return {
    layout: statement.layout,
    account: { _id: named.id, bank: statement.bank ?? named.bank, tail: statement.tail ?? named.tail },
    covers: statement.covers,
    balances: statement.balances,
    brokenAt: statement.brokenAt,
    swapped: statement.swapped,
    lines: statement.lines.length,
    credits: creditsOf(statement).length,
    ...found,
    rows: statement.lines
      .slice(0, ROWS_SHOWN)
      .map(({ line, day, amountPaise, direction, refs, narration, kind, proof }) => ({
        line,
        day,
        amount: toRupees(paise(amountPaise)),
        direction,
        refs,
        narration,
        kind,
        proof,
      })),
    problems: statement.problems,
  }
}

/** Does work in a transaction that is then undone, so that a preview counts exactly what an import would. */
async function rehearse<T>(db: Services['db'], work: (tx: Transaction) => Promise<T>): Promise<T> {
  const undone = new Error('A preview stores nothing')
  let result: T | undefined
  await db
    .transaction(
      async (tx) => {
        result = await work(tx)
        throw undone
      },
      { statementTimeoutMs: IMPORT_TIMEOUT_MS },
    )
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return result as T
}

/** @returns the pending requests that a recorded statement confirms */
async function readConfirmed(db: Queries, { lines }: Statement): Promise<Pair[]> {
  const refs = lines.flatMap((line) => line.refs)
  const pairs = await readPairs(
    db,
    SAME_REFERENCE,
    sql`credit.id in (select credit_id from bank_credit_refs where ref = any(${refs}::text[]))
        and request.status = 'pending'`,
  )
  return pairs.filter(({ request, credit }) => judge(request, credit).verdict === 'confirmed')
}

async function countMatches(
  tx: Transaction,
  statement: Statement,
  now: Date,
): Promise<{ confirmed: number; approvesNow: number }> {
  const confirmed = await readConfirmed(tx, statement)
  const rules = await readRules(tx, now)
  let approvesNow = 0
  if (rules.mode !== 'propose') {
    const buyers = await readBuyers(tx, confirmed, rules, now)
    for (const { request, credit } of confirmed) {
      const buyer = buyers.get(request.id)
      if (!buyer || whyHeld(request, credit, { rules, buyer })) continue
      approvesNow += 1
      rules.today += request.amountPaise
    }
  }
  return { confirmed: confirmed.length, approvesNow }
}

/**
 * Stores what a statement shows. The same file again changes nothing.
 * @throws Refusal STATEMENT_UNREADABLE, PAYLOAD_TOO_LARGE, NOT_FOUND, ACCOUNT_UNKNOWN for a file of another account
 */
export async function importStatement(
  services: Services,
  { accountId, ...upload }: Upload & { accountId: string },
  by: Call<'admin'>,
): Promise<ImportResult> {
  const { db, sealer, events } = services
  const account = await db.maybe(
    AccountRow,
    sql`select id, bank, tail from bank_accounts where id = ${accountId} and closed_at is null`,
  )
  if (!account) throw new Refusal('NOT_FOUND')
  const statement = await read(db, upload, { accountId, now: by.now })
  refuseOther(statement, account)
  const sha256 = createHash('sha256').update(upload.text).digest()
  const stored = await db.transaction(
    async (tx) => {
      const importId = await insertImport(tx, statement, { account, sha256, by })
      if (importId === undefined) return undefined
      const source = { accountId, importId, deviceId: null, sealer, now: by.now }
      const rules = await readRules(tx, by.now)
      const recorded = await recordCredits(tx, source, await seenCredits(tx, source, statement))
      const takenBack = await recordDebits(tx, source, statement)
      await recordUnread(tx, source, statement)
      await judgeReadings(tx, source, statement)
      const alarms = takenBack + (await checkAgainst(tx, source, statement))
      const added = recorded.filter(({ isNew }) => isNew).length
      await tx.run(sql`update bank_imports set new_credits = ${added} where id = ${importId}`)
      const { text, columns } = upload
      if (columns) await keepLayout(tx, { text, columns }, { statement, adminId: by.admin.id, now: by.now })
      const { layout, balances, covers } = statement
      await audit(tx, by, {
        action: 'bank.import',
        subject: `Statement of ${account.bank} ··${account.tail} (${importId})`,
        after: {
          layout,
          source: upload.source ?? 'text',
          balances,
          covers,
          credits: recorded.length,
          new: added,
          alarms,
        },
      })
      return {
        importId,
        added,
        known: recorded.length - added,
        alarms,
        rules,
        confirmed: (await readConfirmed(tx, statement)).length,
        refs: statement.lines.flatMap((line) => line.refs),
      }
    },
    { statementTimeoutMs: IMPORT_TIMEOUT_MS },
  )
  if (!stored) {
    by.madeNothing()
    return sameAgain(db, accountId, sha256, statement)
  }
  const settled = await settle(services, stored.refs, stored.rules)
  events.publish({ to: 'admins', name: 'bank', data: {} })
  return {
    import: await readImport(db, stored.importId),
    new: stored.added,
    known: stored.known,
    matched: await countMatched(db, stored.refs),
    confirmed: stored.confirmed,
    approved: settled.approved,
    alarms: stored.alarms + settled.alarms,
  }
}

async function sameAgain(db: Queries, accountId: string, sha256: Buffer, statement: Statement): Promise<ImportResult> {
  const { id } = await db.one(
    z.object({ id: z.string() }),
    sql`select id from bank_imports where account_id = ${accountId} and sha256 = ${sha256}`,
  )
  const file = await readImport(db, id)
  const refs = statement.lines.flatMap((line) => line.refs)
  const found = { matched: await countMatched(db, refs), confirmed: (await readConfirmed(db, statement)).length }
  return { import: file, new: 0, known: file.credits, ...found, approved: 0, alarms: 0 }
}

async function countMatched(db: Queries, refs: readonly string[]): Promise<number> {
  const { matched } = await db.one(
    z.object({ matched: z.number() }),
    sql`
    select count(*) as matched from ${SAME_REFERENCE}
     where request.utr = any(${refs}::text[]) and request.status in ('pending', 'approved')
       and request.amount_paise = credit.amount_paise`,
  )
  return matched
}

/** @param accountId whose earlier imports may prove its first row */
async function read(
  db: Queries,
  { text, columns, source }: Upload,
  { accountId, now }: { accountId: string; now: Date },
): Promise<Statement> {
  if (Buffer.byteLength(text) > STATEMENT_BYTES_MAX) throw new Refusal('PAYLOAD_TOO_LARGE')
  const chosen = columns ?? (await readLayout(db, text))
  const statement = await readStatementInTurns(text, {
    ...(chosen && { columns: chosen }),
    ...(accountId !== 'none' && { closingBefore: await closingsOf(db, accountId) }),
  })
  // Places on a page may mislead, and only balances show it
  if (source === 'pdf' && statement.lines.some(({ balancePaise }) => balancePaise === null))
    throw new Refusal('STATEMENT_UNREADABLE', { message: 'This PDF has no balances. Choose CSV or Excel instead.' })
  // A day without a payment is worth knowing where its balance is the one before
  if (statement.lines.length === 0 && statement.balances !== 'proven')
    throw new Refusal('STATEMENT_UNREADABLE', { message: 'We found no rows with a date and an amount in it.' })
  // Banks print the end of the period that was asked for, but no file shows a day to come
  const { covers } = statement
  const today = dayOf(now)
  const ended = (day: string): string => (day < today ? day : today)
  return {
    ...statement,
    lines: await provenAsReports(db, statement),
    ...(covers && { covers: { from: ended(covers.from), to: ended(covers.to) } }),
  }
}

const isTail = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one)
const isOf = (statement: Statement, { bank, tail }: Account): boolean =>
  (statement.tail === null || isTail(statement.tail, tail)) &&
  (statement.bank === null || isReport(statement.layout) || [statement.bank, undefined].includes(bankKey(bank)))

function refuseOther(statement: Statement, account: Account): void {
  if (isOf(statement, account)) return
  const own = [statement.bank, statement.tail && `··${statement.tail}`].filter(Boolean).join(' ')
  throw new Refusal('ACCOUNT_UNKNOWN', {
    say: [
      'This statement is of {own}, not of {account}. Choose the right account.',
      { own, account: `${account.bank} ··${account.tail}` },
    ],
  })
}

/** What the proven imports of an account, or of any, ended with, for a file that follows one. */
async function closingsOf(db: Queries, accountId: string): Promise<NonNullable<StatementOptions['closingBefore']>> {
  const ends = await db.rows(
    z.object({ day: z.string(), closing: z.number() }),
    sql`
    select distinct covers_to::text as day, closing_paise as closing from bank_imports
     where (account_id::text = ${accountId} or ${accountId === 'any'})
       and balances = 'proven' and closing_paise is not null`,
  )
  return (firstDay) => {
    const before = ends.filter(({ day }) => day <= firstDay)
    const last = before
      .map(({ day }) => day)
      .toSorted()
      .at(-1)
    return before.filter(({ day }) => day === last).map(({ closing }) => closing)
  }
}

/** @returns the import's id; undefined when the same file was imported before */
async function insertImport(
  tx: Transaction,
  statement: Statement,
  { account, sha256, by }: { account: Pick<Account, 'id'>; sha256: Buffer; by: Call<'admin'> },
): Promise<string | undefined> {
  const id = newId()
  const days = statement.lines.map(({ day }) => day).toSorted()
  const covers = statement.covers ?? { from: days[0] ?? '', to: days.at(-1) ?? '' }
  const credits = creditsOf(statement).length
  const made = await tx.run(sql`
    insert into bank_imports (id, account_id, sha256, layout, balances, covers_from, covers_to, opening_paise,
                              closing_paise, lines, credits, new_credits, admin_id, created_at)
    values (${id}, ${account.id}, ${sha256}, ${statement.layout}, ${statement.balances}, ${covers.from}, ${covers.to},
            ${statement.opening}, ${statement.closing}, ${statement.lines.length}, ${credits}, 0, ${by.admin.id},
            ${by.now})
    on conflict (account_id, sha256) do nothing`)
  return made > 0 ? id : undefined
}
