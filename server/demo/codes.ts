/** Redeem codes of the demo: five, of which two buyers have used one each. */
import type { Api } from '../../contract/api.ts'
import type { Client } from '../../contract/client.ts'
import { dayAfter, dayOf } from '../../contract/india.ts'

interface Giving {
  owner: Client<Api>
  buyers: ReadonlyMap<string, Client<Api>>
  now: Date
}

const USE = ['aarav', 'kabir']

export async function giveCodes({ owner, buyers, now }: Giving): Promise<void> {
  const { codes } = await owner.wallet.makeCodes({
    name: 'Festival gift',
    count: 5,
    amount: 50,
    codeUntil: dayAfter(dayOf(now), 30),
    creditDays: 60,
  })
  for (const [index, name] of USE.entries()) await buyers.get(name)?.wallet.redeem({ code: codes[index] ?? '' })
}
