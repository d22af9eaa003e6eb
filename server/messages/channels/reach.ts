import type { DemoMail, MailTimes } from './email.ts'
import type { Outbound } from '../../platform/outbound.ts'

/** How the store reaches others. */
export interface Reach {
  outbound: Outbound
  telegramUrl: string
  publicOrigin: string | undefined
  mailTimes: MailTimes
  /** The demo keeps its mails here, newest first, and sends none. */
  demoMails?: DemoMail[] | undefined
}
