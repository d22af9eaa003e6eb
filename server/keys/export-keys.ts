/** Keys as a file. It asks for step-up and is audited, because the file holds the stock. */
import { inIndia } from '../../contract/india.ts'
import type { AdminKey } from '../../contract/keys.ts'
import { audit, auditableFilter, type ProvingBy } from '../audit/audit.ts'
import { linesOf, type SheetColumn } from '../audit/export-sheet.ts'
import type { Services } from '../platform/services.ts'
import { listKeys, type KeySearch } from './list-keys.ts'
import { findVariants } from './stock/stock.ts'

type Filter = Omit<KeySearch, 'limit' | 'cursor'>

const STATUS_TEXTS = { available: 'Available', assigned: 'Assigned', expired: 'Expired' } as const
/** Empty for null. */
const sheetTime = (moment: string | null): string => (moment === null ? '' : inIndia(moment).slice(0, 16))

const columns: readonly SheetColumn<AdminKey>[] = [
  ['Key', ({ key }) => key],
  ['Product', ({ productId }) => productId.name],
  ['Duration', ({ duration }) => duration],
  ['Status', ({ status }) => STATUS_TEXTS[status]],
  ['Buyer', ({ assignedTo }) => assignedTo?.username ?? ''],
  ['Email', ({ assignedTo }) => assignedTo?.email ?? ''],
  ['Purchased (India)', ({ assignedAt }) => sheetTime(assignedAt)],
  ['Expires (India)', ({ expiresAt }) => sheetTime(expiresAt)],
  ['Added (India)', ({ createdAt }) => sheetTime(createdAt)],
  ['Order', ({ order }) => order?._id ?? ''],
  ['Sold for (INR)', ({ order }) => order?.unitPrice ?? ''],
]

/**
 * Yields all keys of the filter, line by line. The audit log gets an entry before the first key leaves. It gets
 * another with their number, even if the connection broke off.
 * @throws Refusal STEP_UP_REQUIRED
 */
export async function exportKeys(services: Services, filter: Filter, by: ProvingBy): Promise<AsyncGenerator<string>> {
  by.requireProof()
  const subject = await subjectOf(services, filter)
  const told = auditableFilter(filter)
  await services.db.transaction((tx) => audit(tx, by, { action: 'keys.export', subject, after: told }))
  return counted(services, filter, by, { subject, told })
}

async function* counted(
  services: Services,
  filter: Filter,
  by: ProvingBy,
  { subject, told }: { subject: string; told: object },
): AsyncGenerator<string> {
  let exported = 0
  let complete = false
  async function* keys(): AsyncGenerator<AdminKey> {
    for await (const key of listKeys(services, filter, by.now)) {
      exported += 1
      yield key
    }
  }
  try {
    yield* linesOf(columns, keys())
    complete = true
  } finally {
    const ended = { ...by, now: services.clock.now() }
    const after = { ...told, exported, complete }
    await services.db.transaction((tx) => audit(tx, ended, { action: 'keys.exported', subject, after }))
  }
}

/** Names the exported keys for the audit log. */
async function subjectOf({ db }: Services, { productId, duration, batchId, status }: Filter): Promise<string> {
  const variant = productId === undefined ? undefined : (await findVariants(db, productId, duration))[0]
  const product = variant?.productName ?? productId ?? 'all products'
  const parts = [product, duration, batchId && 'one batch', status]
  return `Keys of ${parts.filter((part) => part !== undefined).join(', ')}`
}
