import { base64, webp } from '../../pictures.ts'
import { missing } from '../things.ts'
import type { Walk } from '../walk.ts'

const picture = { data: base64(webp(512, 512)) }

export const pictures: Walk<'pictures'> = {
  succeed: {
    saveOfStore: (shop) => shop.owner.put('/pictures/store/logo', picture),
    removeOfStore: (shop) => shop.owner.delete('/pictures/store/share'),
    saveOfProduct: async (shop) => shop.owner.put(`/pictures/products/${(await shop.product())._id}`, picture),
    removeOfProduct: async (shop) => shop.owner.delete(`/pictures/products/${(await shop.product())._id}`),
  },
  refuse: {
    saveOfStore: {
      PICTURE_CHANGED: (shop) => shop.owner.put('/pictures/store/logo', { ...picture, expected: '/pictures/other' }),
    },
    saveOfProduct: { NOT_FOUND: (shop) => shop.owner.put(`/pictures/products/${missing()}`, picture) },
    removeOfProduct: { NOT_FOUND: (shop) => shop.owner.delete(`/pictures/products/${missing()}`) },
  },
}
