/**
 * Adds a paste of keys, up to 50,000 at once, as a new batch or to one. It checks the texts before the transaction.
 * Inside, it stores them part by part, while the later ones are encrypted.
 */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { KeyText, type keys } from '../../contract/keys.ts'
import { audit, type Auditor } from '../audit/audit.ts'
import { sql, type Database, type Queries, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Sealer } from '../platform/secrets/sealing.ts'
import type { Services } from '../platform/services.ts'
import { mapYielding } from '../platform/load/map-yielding.ts'
import { findWithdrawn, fingerprintTable } from './stock/fingerprints.ts'
import { WITHOUT_WAITING, type StockHooks } from './hooks.ts'
import { addKeys, findVariant, KEYS_PER_STATEMENT, type Variant, type SealedKey } from './stock/stock.ts'

export type Import = z.output<(typeof keys.add)['input']>

const FAULTS_SHOWN_MAX = 20
/** Longer than a request should take, because an import may wait for another one with the same keys. */
const IMPORT_TIMEOUT_MS = 60_000

/**
 * Adds the new texts. Keys that somebody waits for are sold first, in transactions of their own. Duplicates don't stop
 * the others, which are stored and committed before the refusal.
 * @throws Refusal INVALID_INPUT for a text that cannot be a key (nothing is stored), PRODUCT_NOT_FOUND, NOT_FOUND
 *   for a batch of another variant or admin, BATCH_UNDONE, or DUPLICATE_KEYS (with `added`, `duplicates` and
 *   `batchId`)
 */
export async function importKeys(
  { db, sealer, events }: Services,
  { productId, duration, keys, ...delivery }: Import,
  by: Auditor,
  hooks: StockHooks = WITHOUT_WAITING,
): Promise<{ message: string; added: number; batchId?: string }> {
  const texts = await readTexts(keys)
  const different = [...new Set(texts)]
  const { priceId } = await findVariantForSale(db, productId, duration)
  const sealing = sealInParts(different, sealer)
  const into = { productId, duration, delivery: { ...delivery, batchId: delivery.batchId ?? newId() } }
  const first = (await hooks.isAwaited({ priceId, now: by.now }))
    ? await sellFirst(db, priceId, (await Promise.all(sealing)).flat(), { into, by, hooks })
    : NOTHING_SOLD
  const parts = first.taken > 0 ? [(await Promise.all(sealing)).flat().slice(first.taken)] : sealing

  const { added, duplicates, batchId, stored } = await db.transaction(
    async (tx) => {
      const { variant, batch } = await openImport(tx, into, by)
      const rest = await addKeys(tx, parts, { priceId: variant.priceId, batchId: batch.id, now: by.now })
      const stored = first.added + rest
      const isNew = batch.isNew || first.madeBatch
      // Gives a repeated call the answer that was lost
      const added =
        isNew || stored === different.length
          ? stored
          : await countInBatch(
              tx,
              batch.id,
              (await Promise.all(sealing)).flatMap((part) => part.map(({ fingerprint }) => fingerprint)),
            )
      const isEmpty = isNew && stored === 0
      if (isEmpty) await tx.run(sql`delete from key_batches where id = ${batch.id}`)
      const after = { added, duplicates: texts.length - added, ...(isEmpty ? {} : { batchId: batch.id }) }
      if (stored > 0) {
        const onSale = stored - first.sold
        await hooks.arrived(tx, { priceId: variant.priceId, now: by.now, onSale, short: first.short })
      }
      await audit(tx, by, {
        action: 'keys.add',
        subject: nameOf(variant),
        after: { ...after, added: added - first.added },
      })
      return { ...after, stored }
    },
    { statementTimeoutMs: IMPORT_TIMEOUT_MS },
  )

  for (const user of first.buyers) events.publish({ to: { user }, name: 'balance' })
  if (stored > 0) events.publish({ to: 'everyone', name: 'stock', data: { productId } })
  const answer = { added, ...(batchId === undefined ? {} : { batchId }) }
  if (duplicates > 0) {
    const known = (await Promise.all(sealing)).flatMap((part) => part.map(({ fingerprint }) => fingerprint))
    const withdrawn = (await findWithdrawn(db, known)).size
    throw new Refusal('DUPLICATE_KEYS', {
      say: [
        '{added, plural, one {# key} other {# keys}} added; ' +
          '{duplicates, plural, one {# key} other {# keys}} not added, as duplicates (duplicate key error)' +
          '{withdrawn, plural, =0 {} one {. # key withdrawn by a recall} other {. # keys withdrawn by a recall}}',
        // A recalled key is said once
        { added, duplicates: duplicates - withdrawn, withdrawn },
      ],
      details: { ...answer, duplicates },
    })
  }
  return { message: `${counted(added)} added`, ...answer }
}

interface Into {
  productId: string
  duration: string
  delivery: Omit<Import, 'productId' | 'duration' | 'keys'>
}

/** The keys of an import that were sold before the rest goes on sale. */
interface SoldFirst {
  /** The number of texts that need no further work. */
  taken: number
  added: number
  sold: number
  madeBatch: boolean
  buyers: string[]
  short: string[]
}

const NOTHING_SOLD: SoldFirst = { taken: 0, added: 0, sold: 0, madeBatch: false, buyers: [], short: [] }

/** Sells to those who wait, a part of the queue in each transaction. */
async function sellFirst(
  db: Database,
  priceId: string,
  keys: readonly SealedKey[],
  { into, by, hooks }: { into: Into; by: Auditor; hooks: StockHooks },
): Promise<SoldFirst> {
  let first = NOTHING_SOLD
  let after: number | undefined = 0
  while (after !== undefined && first.taken < keys.length) {
    const from: number = after
    // Begins from the part before, because a transaction may be tried again
    const { next, ...part }: SoldFirst & { next: number | undefined } = await db.transaction(async (tx) => {
      let { taken } = first
      let added = 0
      let madeBatch = false
      const { next, buyers, short, sold } = await hooks.serve(
        tx,
        { priceId, now: by.now, after: from },
        async (most) => {
          if (most === 0) return 0
          const { batch } = await openImport(tx, into, by)
          madeBatch = batch.isNew
          while (added < most && taken < keys.length) {
            const some = keys.slice(taken, taken + most - added)
            taken += some.length
            added += await addKeys(tx, [some], { priceId, batchId: batch.id, now: by.now })
          }
          return added
        },
      )
      if (added > 0) {
        const after = { added, sold, batchId: into.delivery.batchId }
        await audit(tx, by, {
          action: 'keys.add',
          subject: nameOf(await findVariantForSale(tx, into.productId, into.duration)),
          after,
        })
      }
      return { next, taken, added, sold, madeBatch, buyers, short }
    })
    first = {
      taken: part.taken,
      added: first.added + part.added,
      sold: first.sold + part.sold,
      madeBatch: first.madeBatch || part.madeBatch,
      buyers: [...first.buyers, ...part.buyers],
      short: [...first.short, ...part.short],
    }
    after = next
  }
  return first
}

/** @throws Refusal PRODUCT_NOT_FOUND, NOT_FOUND or BATCH_UNDONE */
async function openImport(tx: Transaction, { productId, duration, delivery }: Into, by: Auditor) {
  await tx.run(sql`select set_config('lock_timeout', ${`${IMPORT_TIMEOUT_MS}ms`}, true)`)
  const variant = await findVariantForSale(tx, productId, duration)
  return { variant, batch: await openBatch(tx, variant, delivery, by) }
}

/** Starts right away, and goes on while the first parts are stored. */
function sealInParts(texts: readonly string[], sealer: Sealer): Promise<SealedKey[]>[] {
  const parts: Promise<SealedKey[]>[] = []
  for (let start = 0; start < texts.length; start += KEYS_PER_STATEMENT) {
    const part = texts.slice(start, start + KEYS_PER_STATEMENT)
    const before = parts.at(-1) ?? Promise.resolve()
    const sealed = before.then(() =>
      mapYielding(part, (text) => {
        const id = newId()
        return { id, sealed: sealer.seal('key', id, text), fingerprint: sealer.fingerprint(text) }
      }),
    )
    // Handled where the part is stored; if the transaction ends before that, nothing needs the error
    sealed.catch(() => {})
    parts.push(sealed)
  }
  return parts
}

const OpenBatchRow = z.object({ priceId: z.string(), adminId: z.nullable(z.string()), isUndone: z.boolean() })

/** Opens the import's batch, which it creates if absent. @throws Refusal NOT_FOUND or BATCH_UNDONE */
async function openBatch(
  tx: Transaction,
  { priceId }: Variant,
  {
    batchId: id = newId(),
    supplier = '',
    costPerKey = null,
    note = '',
  }: Omit<Import, 'productId' | 'duration' | 'keys'>,
  by: Auditor,
): Promise<{ id: string; isNew: boolean }> {
  const made = await tx.run(sql`
    insert into key_batches (id, price_id, supplier, cost_paise, note, admin_id, created_at)
    values (${id}, ${priceId}, ${supplier}, ${costPerKey}, ${note}, ${by.admin?.id ?? null}, ${by.now})
    on conflict (id) do nothing`)
  if (made > 0) return { id, isNew: true }
  const present = await tx.one(sql(OpenBatchRow)`
    select price_id, admin_id, undone_at is not null as is_undone
      from key_batches where id = ${id}`)
  if (present.priceId !== priceId || present.adminId !== (by.admin?.id ?? null)) throw new Refusal('NOT_FOUND')
  if (present.isUndone) throw new Refusal('BATCH_UNDONE')
  return { id, isNew: false }
}

function countInBatch(tx: Transaction, batchId: string, fingerprints: readonly Buffer[]): Promise<number> {
  return tx.count(sql`
    select count(*)
      from ${fingerprintTable(fingerprints)} as wanted
      join license_keys key on key.fingerprint = wanted.fingerprint
     where key.batch_id = ${batchId}`)
}

/** @throws Refusal PRODUCT_NOT_FOUND */
export async function findVariantForSale(db: Queries, productId: string, duration: string): Promise<Variant> {
  const variant = await findVariant(db, productId, duration)
  if (!variant) throw new Refusal('PRODUCT_NOT_FOUND')
  return variant
}

/** Returns the lines as keys are stored: trimmed, without blank ones. @throws Refusal INVALID_INPUT */
async function readTexts(lines: readonly string[]): Promise<string[]> {
  const fields: Record<string, string> = {}
  const read = await mapYielding(lines, (line, index) => {
    if (line.trim() === '') return ''
    const { success, data, error } = z.safeParse(KeyText, line)
    if (success) return data
    if (Object.keys(fields).length < FAULTS_SHOWN_MAX)
      fields[`keys.${index}`] = `Line ${index + 1}: ${error.issues[0]?.message ?? 'this cannot be a key'}`
    return ''
  })
  const [fault] = Object.values(fields)
  if (fault !== undefined) throw new Refusal('INVALID_INPUT', { message: fault, fields })
  const texts = read.filter((text) => text !== '')
  if (texts.length === 0) {
    const message = 'Paste at least one key'
    throw new Refusal('INVALID_INPUT', { message, fields: { keys: message } })
  }
  return texts
}

export function nameOf({ productName, duration, productId }: Omit<Variant, 'priceId'>): string {
  return `${productName}, ${duration} (${productId})`
}

function counted(quantity: number): string {
  return quantity === 1 ? '1 key' : `${quantity} keys`
}
