import type { bankPhones } from '../../contract/bank-phones.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { invite, pair, readDevices, updateDevice } from './phones/devices.ts'
import { readSteps } from './inbox/setup-steps.ts'
import { openAlertDoor } from './inbox/take-alert.ts'

export function bankPhoneRoutes(services: Services, publicOrigin: string | undefined): Handlers<typeof bankPhones> {
  const takeAlert = openAlertDoor(services)
  return {
    alert: async (_, call) => ({ outcome: await takeAlert(call.sent, call) }),
    steps: (_, call) => readSteps(services, call),
    pair: (input, call) => pair(services, publicOrigin, input, call),
    invite: (input, call) => invite(services, publicOrigin, input, call),
    devices: async () => ({
      devices: await readDevices(services.db),
      hasHttps: publicOrigin?.startsWith('https:') === true,
    }),
    updateDevice: (input, call) => updateDevice(services, input, call),
  }
}
