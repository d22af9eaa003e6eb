import type { DemoMail, MailTimes } from './email.ts'
import type { Outbound } from '../../platform/outbound.ts'

/** How the store reaches others. */
export interface Reach {
  outbound: Outbound
  telegramUrl: string
  publicOrigin: string | undefined
  mailTimes: MailTimes
  /** Where the demo keeps its mails, the newest first. It sends none. */
  demoMails?: DemoMail[] | undefined
}
