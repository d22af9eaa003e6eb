import { useMutation } from '@tanstack/react-query'
import type { Product } from '../../../contract/catalogue.ts'
import { client } from '../../platform/client.ts'
import { t } from '../../platform/i18n.ts'
import { makesStale } from '../../platform/queries.ts'
import { confirm } from '../../ui/confirm.ts'
import { changeOf, replacedBy, termsOf, type ProductDraft } from './product-draft.ts'

interface Draft {
  /** The product when the editor opened; undefined for a new one. */
  product: Product | undefined
  draft: ProductDraft
}

/**
 * Saves a draft; of a product that was there already, what the draft changes. Before it replaces what was changed
 * elsewhere meanwhile it asks, and after a no it answers with nothing.
 */
export function useSaveProduct() {
  return useMutation({
    async mutationFn({ product, draft }: Draft) {
      if (!product) return client.catalogue.create(termsOf(draft))
      // Loads the list again, because without live updates this page may be half a minute behind
      const latest = (await client.catalogue.list({})).find(({ _id }) => _id === product._id)
      const body = replacedBy(draft, product, latest)
      const isSure =
        body === undefined ||
        (await confirm({
          title: t('Overwrite the other changes?'),
          body,
          confirmLabel: t('Save anyway'),
          cancelLabel: t('Keep editing'),
          danger: true,
        }))
      return isSure ? client.catalogue.update({ id: product._id, ...changeOf(product, draft) }) : undefined
    },
    onSettled: makesStale(['catalogue']),
  })
}
