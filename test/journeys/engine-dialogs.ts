/** Opens every dialog of the store in an engine or a language, and looks whether all that is in it can be reached. */
import { freshUtr } from './admin-counter.ts'
import { anAdmin, enrol, GIVEN } from './admin-door.ts'
import { statementOf } from './bank-statement.ts'
import {
  BUYER,
  GUARDED,
  LEAVER,
  PANEL,
  titlePattern,
  VISITOR,
  walk,
  withNames,
  type Names,
  type Screen,
} from './dialogs.ts'
import { asOwner, logIn, type Given as GivenShop } from './engine-paths.ts'
import { expect, freshName, PASSWORD } from './people.ts'
import { cutOff, fill, goto, leaveLayers, press, see, topName, until, type Tab } from './tab.ts'

interface Given extends GivenShop {
  /** Looks at an open dialog, too. @returns what is wrong with it */
  look?: () => Promise<string[]>
}

interface Sweep extends Given {
  names?: Partial<Names>
  endSession?: () => Promise<unknown>
}

async function sweep(
  tab: Tab,
  screens: readonly Screen[],
  { shop, names, endSession, look = () => Promise.resolve([]) }: Sweep,
): Promise<void> {
  const { url, owner } = shop
  const given = {
    tab,
    url,
    names: {
      buyer: '',
      other: '',
      password: PASSWORD,
      given: GIVEN,
      admin: '',
      newcomer: freshName(),
      key: '',
      product: '',
      utr: '',
      ...names,
    },
    behind: {
      async editProduct() {
        const product = (await owner.catalogue.list({})).find(({ name }) => name === 'Orbit Arena Pro')
        await owner.catalogue.update({
          id: product?._id ?? '',
          description: `Described by another admin, ${freshName()}.`,
        })
      },
      endSession: async () => endSession?.(),
    },
  }
  const faults: string[] = []
  const lookAt = async (where: string) => {
    const name = titlePattern(where)
    await until(where, async () => name.test(await topName(tab)))
    faults.push(...[...(await cutOff(tab)), ...(await look())].map((fault) => `${where}: ${fault}`))
  }
  for (const { path, ways } of screens) {
    let isThere = false
    for (const way of ways) {
      try {
        if (!isThere) await goto(tab, url + withNames(path, given.names))
        await walk(way, given, lookAt)
        isThere = await leaveLayers(tab)
      } catch (error) {
        faults.push(`${path}: ${(error as Error).message}`)
        isThere = false
      }
    }
  }
  expect(faults).toEqual([])
}

export async function storeDialogs(tab: Tab, { shop, people, ...given }: Given): Promise<void> {
  const { url, owner } = shop
  const [buyer, leaver] = [await people.buyer({ balance: 249 }), await people.account()]
  const product = (await owner.catalogue.list({})).find(({ name }) => name === 'Orbit Arena Pro')
  await buyer.calls.orders.place({ productId: product?._id ?? '', duration: '5 Days', quantity: 1 })
  await buyer.calls.sessions.logout({})
  await owner.users.setReseller({ id: buyer.id, on: true })
  await owner.users.unlockDevice({ id: buyer.id })
  await owner.users.update({ id: leaver.id, balance: -50, expiresInDays: null })
  const names = { other: buyer.username }
  await sweep(tab, VISITOR, { ...given, shop, people, names })
  await logIn(tab, `${url}/login`, buyer.username, PASSWORD, 'Wallet')
  await sweep(tab, BUYER, { ...given, shop, people, endSession: () => owner.users.unlockDevice({ id: buyer.id }) })
  await logIn(tab, `${url}/login`, leaver.username, PASSWORD, 'Wallet')
  await sweep(tab, LEAVER, { ...given, shop, people })
}

export async function panelDialogs(tab: Tab, { shop, people, ...given }: Given): Promise<void> {
  const { owner } = shop
  const [buyer, large, admin] = [await people.buyer(), await people.buyer(), await anAdmin(shop, 'stock')]
  await owner.users.setReseller({ id: buyer.id, on: true })
  await buyer.calls.sessions.makeToken({ name: 'Website', canBuy: true, days: 30, password: PASSWORD })
  await large.calls.payments.addMoney({ amount: 10_000, utr: freshUtr(), payerName: '9812345676' })
  const [matched, other, late] = [freshUtr(), freshUtr(), freshUtr()]
  for (const [amount, utr] of [
    [411, matched],
    [412, other],
    [413, late],
    [414, freshUtr()],
  ] as const)
    await buyer.calls.payments.addMoney({ amount, utr, payerName: '9812345675' })
  const { payments } = await owner.payments.list({ status: 'pending', search: buyer.username })
  for (const { _id: id, utr } of payments) if (utr === matched || utr === late) await owner.payments.approve({ id })
  const { accounts } = await owner.bank.accounts({})
  const text = statementOf([
    // Nothing stands before the first line that could prove its balance
    { utr: freshUtr(), rupees: 77, payer: 'RAVI K' },
    { utr: freshUtr(), rupees: 77, payer: 'MEENA D' },
    { utr: matched, rupees: 411, payer: 'ASHA' },
    { utr: other, rupees: 100, payer: 'ASHA' },
    { utr: late, rupees: 313, payer: 'ASHA' },
  ])
  await owner.bank.import({ text, accountId: accounts[0]?._id ?? '' })
  const key = `SWEEP-${freshUtr()}`
  const product = (await owner.catalogue.list({})).find(({ name }) => name === 'Orbit Arena Pro')?._id ?? ''
  await owner.keys.add({ productId: product, duration: '5 Days', keys: [key] })

  await asOwner(tab, shop)
  await tab.run(async (password) => {
    const headers = { 'content-type': 'application/json' }
    await fetch('/api/admin/step-up', { method: 'POST', headers, body: JSON.stringify({ password }) })
  }, shop.admin.password)
  const names = { buyer: buyer.username, other: large.username, admin: admin.username, key, product, utr: matched }
  await sweep(tab, PANEL, { ...given, shop, people, names })

  const { alarms } = await owner.bank.alarms({ open: true })
  for (const { _id: id } of alarms) await owner.bank.closeAlarm({ id, note: 'Seen' })
  const { credits } = await owner.bank.credits({ state: 'unclaimed', limit: 50 })
  for (const { _id: id } of credits) await owner.bank.setAside({ id, why: 'Nobody’s' })
}

export async function guardDialogs(tab: Tab, { shop, people, ...given }: Given): Promise<void> {
  const { username } = await anAdmin(shop)
  const { recoveryCodes } = await enrol(await people.visitor(), username)
  await goto(tab, `${shop.url}/admin-login`)
  await fill(tab, 'Username', username)
  await fill(tab, 'Password', GIVEN)
  await press(tab, 'button', 'Login')
  await press(tab, 'button', 'Use a recovery code instead')
  await fill(tab, 'Recovery code', recoveryCodes[0] ?? '')
  await press(tab, 'button', 'Login')
  await see(tab, 'Pending payments')
  await sweep(tab, GUARDED, { ...given, shop, people })
}
