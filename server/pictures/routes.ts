import type { pictures } from '../../contract/pictures.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { removeProductPicture, removeStorePicture, saveProductPicture, saveStorePicture } from './save-picture.ts'

const REMOVED = { message: 'Picture removed' }

export const pictureRoutes = (services: Services): Handlers<typeof pictures> => ({
  saveOfStore: async ({ place, data }, by) => ({ picture: await saveStorePicture(services, place, data, by) }),
  removeOfStore: ({ place }, by) => removeStorePicture(services, place, by).then(() => REMOVED),
  saveOfProduct: async ({ id, data }, by) => ({ picture: await saveProductPicture(services, id, data, by) }),
  removeOfProduct: ({ id }, by) => removeProductPicture(services, id, by).then(() => REMOVED),
})
