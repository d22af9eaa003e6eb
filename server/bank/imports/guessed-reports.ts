/** Reports whose columns are a guess: their rows are shown, and prove nothing until a bank's statement agreed once. */
import { columns, sql, type Queries } from '../../platform/database/database.ts'
import { isGuessed } from '../reading/statements/statement-reports.ts'
import type { Statement, StatementLine } from '../reading/statements/statement.ts'

/** @returns a file's lines, with what they prove */
export async function provenAsReports(db: Queries, statement: Statement): Promise<StatementLine[]> {
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
