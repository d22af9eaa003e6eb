/** Uploaded statements, as admins see them. */
import * as z from 'zod/mini'
import { BankImport } from '../../../contract/bank-shapes.ts'
import type { bank } from '../../../contract/bank.ts'
import { Refusal } from '../../../contract/errors.ts'
import { PAGE_SIZE_MAX } from '../../../contract/limits.ts'
import { sql, type Database, type Queries, type Sql } from '../../platform/database/database.ts'

const ImportRow = z.extend(z.omit(BankImport, { account: true, covers: true }), {
  accountId: z.string(),
  label: z.string(),
  from: z.string(),
  to: z.string(),
})

async function readImports(db: Queries, which: Sql): Promise<BankImport[]> {
  const rows = await db.rows(sql(ImportRow)`
    select file.id as _id, account.id as account_id, account.label, layout, covers_from::text as from,
           covers_to::text as to, balances, lines, credits, new_credits, admin.username as created_by,
           file.created_at
      from bank_imports file
      join bank_accounts account on account.id = file.account_id
      join admins admin on admin.id = file.admin_id
      ${which}`)
  return rows.map(({ accountId, label, from, to, ...row }) => ({
    ...row,
    account: { _id: accountId, label },
    covers: { from, to },
  }))
}

export async function readImport(db: Queries, id: string): Promise<BankImport> {
  const [file] = await readImports(db, sql`where file.id = ${id}`)
  if (!file) throw new Refusal('NOT_FOUND')
  return file
}

export async function listImports(
  db: Database,
  { limit = PAGE_SIZE_MAX, skip = 0 }: z.output<(typeof bank.imports)['input']>,
): Promise<{ imports: BankImport[]; total: number }> {
  const [imports, total] = await Promise.all([
    readImports(db, sql`order by file.created_at desc, file.id desc limit ${limit} offset ${skip}`),
    db.count(sql`select count(*) from bank_imports`),
  ])
  return { imports, total }
}
