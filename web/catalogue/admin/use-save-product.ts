import type { Product } from '../../../contract/catalogue.ts'
import { dataOf } from '../../pictures/admin/make-picture.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { useChange } from '../../platform/calls/use-call.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { confirm } from '../../ui/overlays/confirm.ts'
import { changeOf, replacedBy, termsOf, type ProductDraft } from './product-draft.ts'

interface Draft {
  /** The product when the editor opened; undefined for a new one. */
  product: Product | undefined
  draft: ProductDraft
}

/**
 * Saves a draft. Of an existing product it sends only the changes. Asks before it overwrites somebody else's change,
 * and returns nothing after a no.
 */
export function useSaveProduct() {
  return useChange('catalogue', async ({ product, draft }: Draft) => {
    const { picture } = draft
    if (!product) return withPicture(await client.catalogue.create(termsOf(draft)), picture)
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
    if (!isSure) return undefined
    return withPicture(await client.catalogue.update({ id: product._id, ...changeOf(product, draft) }), picture)
  })
}

/** Undefined if this browser can't draw it: a link then shows the store's picture. */
async function cardOf(picture: string): Promise<string | undefined> {
  try {
    const { drawProductCard } = await import('../../pictures/admin/share-picture.ts')
    return dataOf(await drawProductCard(picture))
  } catch {
    return undefined
  }
}

/** Saves the picture of a saved product. If that fails, the product stays saved. */
async function withPicture(saved: Product, picture: ProductDraft['picture']): Promise<Product> {
  const { _id: id, name } = saved
  try {
    if (picture === null) await client.pictures.removeOfProduct({ id })
    else if (picture !== undefined)
      await client.pictures.saveOfProduct({ id, data: dataOf(picture), card: await cardOf(picture) })
  } catch (error) {
    toast(t('The picture of {name} was not saved. {reason}', { name, reason: errorMessage(error) }), { tone: 'bad' })
  }
  return saved
}
