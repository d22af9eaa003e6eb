/** The store's bank accounts. Money that comes to one pays for top-ups only when an owner has said so. */
import * as z from 'zod/mini'
import { BankAccount } from '../../../contract/bank-shapes.ts'
import type { bank } from '../../../contract/bank.ts'
import { bankKey } from '../../../contract/banks.ts'
import { Refusal } from '../../../contract/errors.ts'
import { audit } from '../../audit/audit.ts'
import { sql, violates, type Queries, type Sql, type Transaction } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import { newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'

export function readAccounts(db: Queries, which: Sql = sql`true`): Promise<BankAccount[]> {
  return db.rows(sql(BankAccount)`
    select id as _id, bank, label, tail, feeds_store, closed_at,
           (select max(covers_to)::text from bank_imports file
             where file.account_id = account.id and file.balances = 'proven') as covered_to
      from bank_accounts account
     where ${which}
     order by closed_at is not null, created_at, id`)
}

/** False until an owner sets the bank inbox up. */
export function hasAccounts(db: Queries): Promise<boolean> {
  return db.holds(sql`select exists (select from bank_accounts)`)
}

/** @returns the day that proven statements of every account of the store reach; undefined when one has none */
export async function readSeenTo(db: Queries): Promise<string | undefined> {
  const accounts = await readAccounts(db, sql`feeds_store and closed_at is null`)
  const days = accounts.flatMap(({ coveredTo }) => coveredTo ?? [])
  return days.length < accounts.length ? undefined : days.toSorted()[0]
}

type Fields = Omit<z.output<(typeof bank.createAccount)['input']>, never>

const keyOf = ({ bank }: Pick<Fields, 'bank'>): string => bankKey(bank) ?? bank

/** @returns its id */
export async function insertAccount(tx: Transaction, fields: Fields, by: Call<'admin'>): Promise<string> {
  const id = newId()
  await tx.run(sql`
    insert into bank_accounts (id, bank, label, tail, feeds_store, created_by, created_at)
    values (${id}, ${keyOf(fields)}, ${fields.label}, ${fields.tail}, ${fields.feedsStore}, ${by.admin.id}, ${by.now})`)
  return id
}

/** @throws Refusal ACCOUNT_TAKEN_HERE, STEP_UP_REQUIRED */
export async function createAccount({ db }: Services, fields: Fields, by: Call<'admin'>): Promise<BankAccount> {
  by.requireProof()
  return writing(db, async (tx) => {
    const id = await insertAccount(tx, fields, by)
    await audit(tx, by, { action: 'bank.add-account', subject: `${fields.label} (${id})`, after: fields })
    return readOne(tx, id)
  })
}

/** @throws Refusal NOT_FOUND, ACCOUNT_TAKEN_HERE, STEP_UP_REQUIRED */
export async function saveAccount(
  { db }: Services,
  { id, closed, ...fields }: Fields & { id: string; closed?: boolean | undefined },
  by: Call<'admin'>,
): Promise<BankAccount> {
  by.requireProof()
  return writing(db, async (tx) => {
    await tx.run(sql`select from bank_accounts where id = ${id} for update`)
    const before = await readOne(tx, id)
    await tx.run(sql`
      update bank_accounts
         set bank = ${keyOf(fields)}, label = ${fields.label}, tail = ${fields.tail},
             feeds_store = ${fields.feedsStore},
             closed_at = case when ${closed ?? before.closedAt !== null} then coalesce(closed_at, ${by.now}) end
       where id = ${id}`)
    const after = await readOne(tx, id)
    await audit(tx, by, { action: 'bank.change-account', subject: `${after.label} (${id})`, before, after })
    return after
  })
}

async function readOne(db: Queries, id: string): Promise<BankAccount> {
  const [account] = await readAccounts(db, sql`id = ${id}`)
  if (!account) throw new Refusal('NOT_FOUND')
  return account
}

function writing<T>(db: Services['db'], work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(work).catch((error: unknown) => {
    throw violates(error, 'bank_accounts_open') ? new Refusal('ACCOUNT_TAKEN_HERE') : error
  })
}
