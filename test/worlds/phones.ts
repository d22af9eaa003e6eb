/** A phone of a test shop that forwards its bank's alerts. */
import { createHash, randomBytes } from 'node:crypto'
import type { BankAccount } from '../../contract/bank-shapes.ts'
import { sql } from '../../server/platform/database/database.ts'
import type { Answer } from '../store.ts'
import { TEST_NOW } from './constants.ts'
import { nextUtr, type Shop } from './shop.ts'

const TODAY = TEST_NOW.slice(2, 10).split('-').toReversed().join('-')

/** A one-time code, as an owner's invitation makes it where PUBLIC_URL says https. */
export async function pairing(shop: Shop, ...accounts: BankAccount[]): Promise<string> {
  const code = randomBytes(16).toString('base64url')
  const hash = createHash('sha256').update(code).digest()
  const expiresAt = new Date(shop.store.clock.now().getTime() + 10 * 60_000)
  await shop.store.db.run(sql`
    insert into bank_pairings (code_hash, name, account_ids, created_by, expires_at)
    select ${hash}, 'Till', ${accounts.map(({ _id }) => _id)}::uuid[], id, ${expiresAt}
      from admins order by created_at limit 1`)
  return code
}

export interface Phone {
  id: string
  token: string
  account: BankAccount
  /** Sends a text as MacroDroid does, from HDFC if no sender is given. */
  say(text: string, sender?: string): Promise<Answer>
}

export async function phone(shop: Shop, { tail = '5678' }: { tail?: string } = {}): Promise<Phone> {
  const { accounts } = await shop.owner.api.bank.accounts({})
  const known = accounts.find((each) => each.tail === tail && each.bank === 'HDFC')
  const own =
    known ?? (await shop.owner.api.bank.createAccount({ bank: 'HDFC', label: 'Till', tail, feedsStore: true }))
  const { device, token } = await shop.visitor().api.bank.pair({ code: await pairing(shop, own) })
  return {
    id: device._id,
    token,
    account: own,
    say: (text, sender = 'VM-HDFCBK-S') =>
      shop.visitor().call('POST', '/bank/alerts', JSON.stringify({ from: sender, text }), {
        authorization: `Bearer ${token}`,
      }),
  }
}

/** A wording that no template fits. */
export const plainAlertOf = ({ amount = '100.00', ref = nextUtr(), tail = '5678', by = 'RAVI' }): string =>
  `Your A/c XX${tail} is credited with Rs.${amount} on ${TODAY} by ${by} (UPI Ref No ${ref}). Avl Bal Rs.9,999.00`

/** A sender that no list has, refused once, so that the owner may add it. */
export async function unknownSender(shop: Shop): Promise<{ accountId: string; header: string; own: Phone }> {
  const own = await phone(shop, { tail: nextUtr().slice(-6) })
  const letters = Array.from(randomBytes(4), (byte) => String.fromCodePoint(65 + (byte % 26)))
  const header = `ZQ${letters.join('')}`
  await own.say(plainAlertOf({ tail: own.account.tail }), `VM-${header}-S`)
  return { accountId: own.account._id, header, own }
}

/** HDFC's words for money that came. */
export const alertOf = ({ amount = '100.00', ref = nextUtr(), tail = '5678', day = '', vpa = 'ravi@okaxis' }): string =>
  `Credit Alert!\nRs.${amount} credited to HDFC Bank A/c XX${tail} on ${day || TODAY} from VPA ${vpa} (UPI ${ref})`
