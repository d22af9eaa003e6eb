/** An admin imports a statement: it is recorded, and its money finds its requests. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { ImportResult } from '../../../contract/bank-shapes.ts'
import { Refusal } from '../../../contract/errors.ts'
import { audit } from '../../audit/audit.ts'
import { sql, type Queries } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import type { Services } from '../../platform/services.ts'
import { judgeReadings } from '../inbox/readings.ts'
import { recordCredits } from '../credits/record-credits.ts'
import { recordDebits, recordUnread, seenCredits } from '../credits/statement-credits.ts'
import { readRules, SAME_REFERENCE } from '../matching/match-facts.ts'
import { settle } from '../matching/settle.ts'
import type { Statement } from '../reading/statements/statement.ts'
import { checkAgainst } from './check-earlier.ts'
import { keepLayout } from './layouts.ts'
import { readImport } from './list-imports.ts'
import {
  AccountRow,
  IMPORT_TIMEOUT_MS,
  insertImport,
  isOf,
  readConfirmed,
  readUpload,
  type Account,
  type Upload,
} from './uploaded-statement.ts'

/**
 * Stores what a statement shows. The same file again changes nothing. It asks for a proof whatever the rules are: an
 * invented file would also confirm requests for another admin, and approve them when automation is turned on later.
 * @throws Refusal STEP_UP_REQUIRED, STATEMENT_UNREADABLE, PAYLOAD_TOO_LARGE, NOT_FOUND, ACCOUNT_UNKNOWN for a file of
 *   another account
 */
export async function importStatement(
  services: Services,
  { accountId, ...upload }: Upload & { accountId: string },
  by: Call<'admin'>,
): Promise<ImportResult> {
  by.requireProof()
  const { db, sealer, events } = services
  const account = await db.maybe(
    sql(AccountRow)`select id, bank, tail from bank_accounts where id = ${accountId} and closed_at is null`,
  )
  if (!account) throw new Refusal('NOT_FOUND')
  const shown = await readUpload(db, upload, { accountId, tail: account.tail, now: by.now })
  refuseOther(shown, account)
  const sha256 = createHash('sha256').update(upload.text).digest()
  const stored = await db.transaction(
    async (tx) => {
      const file = await insertImport(tx, shown, { account, sha256, by })
      if (!file) return undefined
      const { id: importId, ...period } = file
      const statement = { ...shown, covers: shown.covers && period }
      const source = { accountId, importId, deviceId: null, sealer, now: by.now }
      const rules = await readRules(tx, by.now)
      const recorded = await recordCredits(tx, source, await seenCredits(tx, source, statement))
      const takenBack = await recordDebits(tx, source, statement)
      await recordUnread(tx, source, statement)
      await judgeReadings(tx, source, statement)
      const alarms = takenBack + (await checkAgainst(tx, source, statement))
      const added = recorded.filter(({ isNew }) => isNew).length
      await tx.run(sql`update bank_imports set new_credits = new_credits + ${added} where id = ${importId}`)
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
    return sameAgain(db, accountId, sha256, shown)
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
  const { id } = await db.one(sql(() => z.object({ id: z.string() }))`
    select id from bank_imports where account_id = ${accountId} and sha256 = ${sha256}`)
  const file = await readImport(db, id)
  const refs = statement.lines.flatMap((line) => line.refs)
  const found = { matched: await countMatched(db, refs), confirmed: (await readConfirmed(db, statement)).length }
  return { import: file, new: 0, known: file.credits, ...found, approved: 0, alarms: 0 }
}

function countMatched(db: Queries, refs: readonly string[]): Promise<number> {
  return db.count(sql`
    select count(*) from ${SAME_REFERENCE}
     where request.utr = any(${refs}::text[]) and request.status in ('pending', 'approved')
       and request.amount_paise = credit.amount_paise`)
}

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
