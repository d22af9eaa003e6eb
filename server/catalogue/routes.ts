import type { catalogue } from '../../contract/catalogue.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { viewerOf } from './pricing.ts'
import { duplicateProduct } from './duplicate-product.ts'
import { removeProduct, restoreProduct } from './remove-product.ts'
import { reorderProducts } from './reorder-products.ts'
import { repriceProducts } from './reprice-products.ts'
import { createProduct, updateProduct } from './save-product.ts'
import { showProducts } from './shop-window.ts'

export const catalogueRoutes = (services: Services): Handlers<typeof catalogue> => ({
  list: (_, caller) => showProducts(services.db, caller.cached, viewerOf(caller)),
  create: (form, call) => createProduct(services, form, call),
  update: (form, call) => updateProduct(services, form, call),
  duplicate: ({ id }, call) => duplicateProduct(services, id, call),
  reprice: (wanted, call) => repriceProducts(services, wanted, call),
  remove: ({ id }, call) => removeProduct(services, id, call),
  restore: ({ id }, call) => restoreProduct(services, id, call),
  reorder: ({ productIds }, call) => reorderProducts(services, productIds, call),
})
