/** Who invited whom in the demo: aarav brought isha, whose payment counts today, and rohan, who waits. */
import type { Api } from '../../contract/api.ts'
import type { Client } from '../../contract/client.ts'
import type { Clock } from '../platform/clock.ts'
import type { Services } from '../platform/services.ts'
import { inviteJobs } from '../referrals/invites/pay.ts'
import { ACCOUNT, statementOf } from './bank.ts'

const INVITER = 'aarav'
const PAYS = 'isha'
const INVITED: readonly string[] = ['rohan', PAYS]
const RUPEES = 500

interface Inviting {
  /** With which this buyer signs up. */
  codeFor(username: string): string
  /** Pays at sign-up, if it is one whose payment a statement shows. */
  signedUp(username: string, browser: Client<Api>): Promise<void>
  /** Uploads the statement that has the friend's payment, and pays for it. */
  prove(services: Services): Promise<void>
}

export async function startInviting(owner: Client<Api>, clock: Clock): Promise<Inviting> {
  const { _id: accountId } = await owner.bank.createAccount(ACCOUNT)
  await owner.referrals.saveInviteSettings({ isOn: true })
  let code = ''
  let text = ''
  const pay = async (name: string, browser: Client<Api>, n: number): Promise<string> => {
    const utr = String(402_600_000_000 + n)
    const { payment } = await browser.payments.addMoney({ amount: RUPEES, utr, payerName: `981230000${n}` })
    await owner.payments.approve({ id: payment._id })
    return statementOf([{ utr, rupees: RUPEES, name: name.toUpperCase(), vpa: `${name}@okaxis` }], clock.now())
  }
  return {
    codeFor: (username) => (INVITED.includes(username) ? code : 'WELCOME50'),
    async signedUp(username, browser) {
      if (username === PAYS) text = await pay(PAYS, browser, 2)
      if (username !== INVITER) return
      await owner.bank.import({ accountId, text: await pay(INVITER, browser, 1) })
      code = (await browser.referrals.ownInvites()).code ?? ''
    },
    async prove(services) {
      await owner.bank.import({ accountId, text })
      await inviteJobs(services)[0]?.run(services.clock.now(), new AbortController().signal)
    },
  }
}
