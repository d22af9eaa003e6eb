import { beforeEach, expect, test } from 'vitest'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { givenAlert, givenDevice } from '../../../test/worlds/alerts.ts'
import { account, rules } from '../../../test/worlds/bank.ts'
import { nextUtr, type Buyer } from '../../../test/worlds/shop.ts'
import { sql, type Sql } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'

const shop = await shopForFile()
const { store } = shop
const { db, clock } = store
let buyer: Buyer
let accountId: string
let deviceId: string

const ago = (ms: number) => new Date(clock.now().getTime() - ms)
const ask = (amount: number, by = buyer) =>
  by.api.payments.addMoney({ amount, utr: nextUtr(), payerName: '9876543210' }).then(({ payment }) => payment)
/** What is said of the newest request. */
const said = async () => (await buyer.api.payments.mine({}))[0]?.checked
const automatic = (more: object = {}) =>
  shop.owner.api.bank.saveRules(rules({ mode: 'auto', trusts: 'phone', unprovenMax: 1_00_000, ...more }))

beforeEach(async () => {
  await db.run(sql`update bank_accounts set closed_at = now() where closed_at is null`)
  buyer = await shop.buyer()
  accountId = (await account(shop, { bank: 'ICICI' }))._id
  deviceId = await givenDevice(db, accountId)
  await automatic()
  await givenAlert(store, { accountId, deviceId, ref: nextUtr(), amount: 100 })
})

test('a request that an alert would approve says so, in the answer and in the list, until it is decided', async () => {
  const payment = await ask(500)
  expect(payment.checked).toEqual({ withinMinutes: null })
  expect(await said()).toEqual({ withinMinutes: null })
  await shop.owner.api.payments.approve({ id: payment._id })
  expect(await said()).toBeUndefined()
})

const off: [what: string, amount: number, change: () => Sql][] = [
  ['the store only proposes', 500, () => sql`update bank_rules set mode = 'propose'`],
  ['statements alone are trusted', 500, () => sql`update bank_rules set trusts = 'statement'`],
  ['the amount is above the limit for a request', 2_001, () => sql`select 1`],
  ['the buyer’s limit of the day is used', 500, () => sql`update bank_rules set per_buyer_day_paise = 40000`],
  ['the limit of the day is used', 500, () => sql`update bank_rules set per_day_paise = 40000`],
  ['the ceiling has no room for it', 500, () => sql`update bank_rules set unproven_max_paise = unproven_paise + 49999`],
  ['buyers must be known, and this one is not', 500, () => sql`update bank_rules set mode = 'auto-known'`],
  ['no alert came within a day', 500, () => sql`update bank_sightings set seen_at = ${ago(25 * 3_600_000)}`],
  ['only hints came', 500, () => sql`update bank_sightings set why = 'hint' where device_id = ${deviceId}`],
  ['only proposals came', 500, () => sql`update bank_sightings set outcome = 'proposed' where device_id = ${deviceId}`],
  ['the phone is paused', 500, () => sql`update bank_devices set paused_at = now() where id = ${deviceId}`],
  ['the phone was disconnected', 500, () => sql`update bank_devices set ended_at = now() where id = ${deviceId}`],
  ['the account is not the store’s', 500, () => sql`update bank_accounts set feeds_store = false`],
  [
    'the bank sends no SMS of so little',
    500,
    () => sql`update bank_accounts set bank = 'HDFC' where id = ${accountId}`,
  ],
]

test.each(off)('nothing is said when %s', async (_, amount, change) => {
  expect((await ask(499)).checked, 'otherwise').toBeDefined()
  await db.run(change())
  expect((await ask(amount)).checked).toBeUndefined()
})

test('above the sum of which its bank sends an SMS, it is said', async () => {
  await db.run(sql`update bank_accounts set bank = 'HDFC' where id = ${accountId}`)
  expect((await ask(501)).checked).toBeDefined()
})

test.each([
  [[30, 30, 30, 30, 30, 30, 30, 30, 30], null],
  [[30, 30, 30, 30, 30, 30, 30, 60, 900, 900], 1],
  [[30, 30, 30, 30, 30, 30, 30, 61, 900, 900], 2],
  [[30, 30, 30, 30, 30, 30, 30, 1_900, 1_900, 1_900], null],
])('of ten that took %j seconds, eight met what is said: %j', async (seconds, withinMinutes) => {
  clock.advance(3_600_000)
  for (const took of seconds) {
    const payer = await shop.buyer()
    const { _id: id } = await ask(100, payer)
    const made = new Date(clock.now().getTime() + took * 1_000)
    await db.run(sql`
      with credit as (
        insert into bank_credits (id, account_id, amount_paise, day, kind, proof, first_seen_at)
        values (gen_random_uuid(), ${accountId}, 10000, ${clock.now()}::date, 'payment', 'alert', ${clock.now()})
        returning id)
      insert into bank_matches (id, credit_id, topup_id, how, proof_then, made_at)
      select ${newId()}::uuid, id, ${id}, 'auto', 'alert', ${made} from credit`)
  }
  expect((await ask(500)).checked).toEqual({ withinMinutes })
})
