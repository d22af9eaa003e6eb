import type { Product } from '../../contract/catalogue.ts'
import type { keys } from '../../contract/keys.ts'
import { listProducts } from '../catalogue/list-products.ts'
import { viewerOf } from '../catalogue/pricing.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { editBatch, getBatch, listBatches, undoBatch } from './batches.ts'
import { checkKeys } from './check-keys.ts'
import { exportKeys } from './export-keys.ts'
import type { StockHooks } from './hooks.ts'
import { importKeys } from './import-keys.ts'
import { editKey, removeAllKeys, removeKey } from './change-keys.ts'
import { asTheyAre, byTheirEnding, listKeys } from './list-keys.ts'
import { listOwnKeys, versionOfOwnKeys } from './my-keys.ts'

export const keyRoutes = (services: Services, hooks: StockHooks): Handlers<typeof keys> => ({
  stock: async (_, caller) => byVariant(await listProducts(services.db, viewerOf(caller))),
  mine: async (page, call) => {
    const { user, now } = call
    if (await call.knows(() => versionOfOwnKeys(services, user.id, now, page))) return []
    return listOwnKeys(services, user.id, now, page)
  },
  list: ({ unproven, ...search }, call) => {
    let text = asTheyAre
    try {
      call.requireProof()
    } catch (refusal) {
      if (unproven !== 'endings') throw refusal
      text = byTheirEnding
    }
    return listKeys(services, search, call.now, text)
  },
  add: (paste, call) => importKeys(services, paste, call, hooks),
  check: (paste) => checkKeys(services, paste),
  export: (filter, call) => exportKeys(services, filter, call),
  batches: (search) => listBatches(services, search),
  batch: ({ id }) => getBatch(services, id),
  editBatch: (change, call) => editBatch(services, change, call),
  undoBatch: ({ id }, call) => undoBatch(services, id, call),
  edit: (correction, call) => editKey(services, correction, call),
  remove: ({ id }, call) => removeKey(services, id, call),
  removeAll: (variant, call) => removeAllKeys(services, variant, call),
})

/** The stock of each duration, by "<productId>_<duration>". */
const byVariant = (products: readonly Product[]) =>
  Object.fromEntries(
    products.flatMap(({ _id: productId, prices }) =>
      prices.map(
        ({ duration, available }) => [`${productId}_${duration}`, { productId, duration, available }] as const,
      ),
    ),
  )
