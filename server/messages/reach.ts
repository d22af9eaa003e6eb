import type { PaymentHooks } from '../payments/hooks.ts'
import type { Outbound } from '../platform/outbound.ts'

/** How the store reaches others. */
export interface Reach {
  outbound: Outbound
  telegramUrl: string
  publicOrigin: string | undefined
  /** How long a mail server may keep silent. */
  mailSilenceMsMax: number
  /** What follows an approval that a tap makes. */
  afterApproval: PaymentHooks['afterApproval']
}
