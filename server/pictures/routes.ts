import type { pictures } from '../../contract/pictures.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { changeProductPicture, changeStorePicture } from './save-picture.ts'

const REMOVED = { message: 'Picture removed' }

export const pictureRoutes = (services: Services): Handlers<typeof pictures> => ({
  saveOfStore: async (sent, by) => ({ picture: await changeStorePicture(services, sent, by) }),
  removeOfStore: (sent, by) => changeStorePicture(services, sent, by).then(() => REMOVED),
  saveOfProduct: async (sent, by) => ({ picture: await changeProductPicture(services, sent, by) }),
  removeOfProduct: (sent, by) => changeProductPicture(services, sent, by).then(() => REMOVED),
})
