/** Keys as a file. It asks for step-up and is audited, because the file holds the stock. */
import { BYTE_ORDER_MARK, csvLine } from '../../contract/csv.ts'
import { inIndia } from '../../contract/india.ts'
import type { AdminKey } from '../../contract/keys.ts'
import { audit, auditableFilter } from '../audit/audit.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { listKeys, type KeySearch } from './list-keys.ts'
import { findVariants } from './stock/stock.ts'

type By = Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent' | 'requireProof'>
type Filter = Omit<KeySearch, 'limit' | 'cursor'>

const STATUS_TEXTS = { available: 'Available', assigned: 'Assigned', expired: 'Expired' } as const
const HEAD = [
  'Key',
  'Product',
  'Duration',
  'Status',
  'Buyer',
  'Email',
  'Purchased (India)',
  'Expires (India)',
  'Added (India)',
  'Order',
  'Sold for (INR)',
]

/**
 * Yields all keys of the filter, line by line. The audit log gets an entry before the first key leaves. It gets
 * another with their number, even if the connection broke off.
 * @throws Refusal STEP_UP_REQUIRED
 */
export async function exportKeys(services: Services, filter: Filter, by: By): Promise<AsyncGenerator<string>> {
  by.requireProof()
  const subject = await subjectOf(services, filter)
  const told = auditableFilter(filter)
  await services.db.transaction((tx) => audit(tx, by, { action: 'keys.export', subject, after: told }))
  return linesOf(services, filter, by, { subject, told })
}

async function* linesOf(
  services: Services,
  filter: Filter,
  by: By,
  { subject, told }: { subject: string; told: object },
): AsyncGenerator<string> {
  let exported = 0
  let complete = false
  try {
    yield BYTE_ORDER_MARK + csvLine(HEAD)
    for await (const key of listKeys(services, filter, by.now)) {
      exported += 1
      yield lineOf(key)
    }
    complete = true
  } finally {
    const ended = { ...by, now: services.clock.now() }
    const after = { ...told, exported, complete }
    await services.db.transaction((tx) => audit(tx, ended, { action: 'keys.exported', subject, after }))
  }
}

function lineOf({ key, productId, duration, status, assignedTo, assignedAt, expiresAt, createdAt, order }: AdminKey) {
  return csvLine([
    key,
    productId.name,
    duration,
    STATUS_TEXTS[status],
    assignedTo?.username ?? '',
    assignedTo?.email ?? '',
    sheetTime(assignedAt),
    sheetTime(expiresAt),
    sheetTime(createdAt),
    order?._id ?? '',
    order?.unitPrice ?? '',
  ])
}

/** Empty for null. */
const sheetTime = (moment: string | null): string => (moment === null ? '' : inIndia(moment).slice(0, 16))

/** Names the exported keys for the audit log. */
async function subjectOf({ db }: Services, { productId, duration, batchId, status }: Filter): Promise<string> {
  const variant = productId === undefined ? undefined : (await findVariants(db, productId, duration))[0]
  const product = variant?.productName ?? productId ?? 'all products'
  const parts = [product, duration, batchId && 'one batch', status]
  return `Keys of ${parts.filter((part) => part !== undefined).join(', ')}`
}
