/** Shows what a statement would bring, before it is imported. */
import * as z from 'zod/mini'
import { StatementPreview } from '../../../contract/bank-shapes.ts'
import { sql, type Transaction } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import { newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { insertAccount } from '../credits/accounts.ts'
import { recordCredits } from '../credits/record-credits.ts'
import { creditsOf, recordDebits, seenCredits } from '../credits/statement-credits.ts'
import { whyHeld } from '../matching/decide-match.ts'
import { readBuyers, readRules } from '../matching/match-facts.ts'
import type { Statement } from '../reading/statements/statement.ts'
import {
  AccountRow,
  IMPORT_TIMEOUT_MS,
  insertImport,
  isOf,
  readConfirmed,
  readUpload,
  type Upload,
} from './uploaded-statement.ts'

const ROWS_SHOWN = 50

/** @throws Refusal STATEMENT_UNREADABLE, PAYLOAD_TOO_LARGE */
export async function previewStatement(
  { db, sealer }: Services,
  { accountId, ...upload }: Upload & { accountId?: string | null | undefined },
  by: Call<'admin'>,
): Promise<StatementPreview> {
  const accounts = await db.rows(sql(AccountRow)`select id, bank, tail from bank_accounts where closed_at is null`)
  const chosen = accounts.find(({ id }) => id === accountId)
  const unassigned = await readUpload(db, upload, { accountId: chosen?.id ?? 'any', tail: chosen?.tail, now: by.now })
  const account = chosen ?? accounts.find((one) => unassigned.tail !== null && isOf(unassigned, one)) ?? null
  const statement =
    account === chosen
      ? unassigned
      : await readUpload(db, upload, { accountId: account?.id ?? 'none', tail: account?.tail, now: by.now })
  const { bank, tail } = statement
  // What a file of an unknown account would do once that is added
  const added = bank === null || tail === null ? null : { bank, tail, label: bank, feedsStore: true }
  const into = account ?? added
  const found = into
    ? await rehearse(db, async (tx) => {
        const id = 'id' in into ? into.id : await insertAccount(tx, into, by)
        const file = await insertImport(tx, statement, { account: { id }, sha256: Buffer.from(newId()), by })
        const source = { accountId: id, importId: file?.id ?? null, deviceId: null, sealer, now: by.now }
        const recorded = await recordCredits(tx, source, await seenCredits(tx, source, statement))
        await recordDebits(tx, source, statement)
        const known = recorded.filter(({ isNew }) => !isNew).length
        return { known, ...(await countMatches(tx, statement, by.now)) }
      })
    : { known: 0, confirmed: 0, approvesNow: 0 }
  const fees = creditsOf(statement).reduce(
    (sum, { amountPaise, netPaise = amountPaise }) => sum + amountPaise - netPaise,
    0,
  )
  const named = account ?? { id: null, bank: statement.bank, tail: statement.tail }
  return z.decode(StatementPreview, {
    ...statement,
    account: { _id: named.id, bank: statement.bank ?? named.bank, tail: statement.tail ?? named.tail },
    lines: statement.lines.length,
    credits: creditsOf(statement).length,
    ...found,
    ...(fees > 0 && { fees }),
    rows: statement.lines.slice(0, ROWS_SHOWN).map(({ amountPaise: amount, ...line }) => ({ ...line, amount })),
  })
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
      rules.today += request.creditPaise
    }
  }
  return { confirmed: confirmed.length, approvesNow }
}
