/** The paths of a buyer and of the owner, in every engine that buyers have. */
import { readFileSync } from 'node:fs'
import { freshUtr } from './admin-counter.ts'
import { expect, PASSWORD, type Buyer, type People, type Shop } from './people.ts'
import { chooseFile, cutOff, fill, goto, press, see, type Tab } from './tab.ts'

export interface Given {
  shop: Shop
  people: People
}

export async function logIn(tab: Tab, where: string, username: string, password: string, seen: string): Promise<void> {
  await goto(tab, where)
  await fill(tab, 'Username', username)
  await fill(tab, 'Password', password)
  await press(tab, 'button', 'Login')
  await see(tab, seen)
}

export const asOwner = (tab: Tab, { url, admin }: Shop) =>
  logIn(tab, `${url}/admin-login`, admin.username, admin.password, 'Pending payments')

export async function buyerPath(tab: Tab, { url, owner }: Shop): Promise<void> {
  const username = `engine${freshUtr()}`
  await goto(tab, `${url}/signup?ref=WELCOME50`)
  await fill(tab, 'Email', `${username}@example.in`)
  await fill(tab, 'Username', username)
  await fill(tab, 'Password', PASSWORD)
  await see(tab, 'Code applied')
  await press(tab, 'button', 'Sign up')
  await see(tab, 'Forgot your password?')
  await logIn(tab, `${url}/login`, username, PASSWORD, 'Wallet')

  const utr = freshUtr()
  await press(tab, 'button', 'Add Money')
  await press(tab, 'button', '₹200')
  await fill(tab, 'UTR (12-digit transaction number)', utr)
  await fill(tab, 'Contact phone', '9812345675')
  await press(tab, 'field', 'I agree…')
  expect(await cutOff(tab)).toEqual([])
  await press(tab, 'button', 'Submit request')
  await see(tab, 'Awaiting approval: ₹200')
  const { payments } = await owner.payments.list({ status: 'pending', search: utr })
  await owner.payments.approve({ id: payments[0]?._id ?? '' })
  await see(tab, '₹250')

  await goto(tab, `${url}/buy`)
  await press(tab, 'field', 'Product')
  await see(tab, 'Skyforge Season Pass')
  expect(await cutOff(tab)).toEqual([])
  await press(tab, 'button', 'Skyforge Season Pass…')
  await press(tab, 'button', 'Buy with Wallet')
  await press(tab, 'button', 'Copy key')
  await see(tab, 'Copied')
  await goto(tab, `${url}/my-key`)
  await see(tab, 'Download from skyforge.example')
  await see(tab, 'https://skyforge.example/help/redeem')
  await goto(tab, `${url}/wallet-history`)
  await see(tab, '+₹200')
  for (const where of ['/', '/buy', '/my-key', '/wallet-history', '/account']) await bothThemes(tab, url + where)
}

/** Nothing is wider than the phone. */
async function bothThemes(tab: Tab, where: string): Promise<void> {
  await goto(tab, where)
  for (const theme of ['dark', 'light']) {
    const seen = await tab.run((wanted) => {
      document.documentElement.dataset['theme'] = wanted
      const { scrollWidth, clientWidth } = document.documentElement
      return {
        excess: scrollWidth - clientWidth,
        width: innerWidth,
        scheme: getComputedStyle(document.body).colorScheme,
      }
    }, theme)
    expect({ where, ...seen }).toMatchObject({ where, excess: 0, width: 390 })
  }
}

export async function ownerPath(tab: Tab, { shop, people }: Given): Promise<void> {
  const { url, owner } = shop
  const buyer = await people.buyer()
  for (const amount of [301, 302])
    await buyer.calls.payments.addMoney({ amount, utr: freshUtr(), payerName: '9812345675' })
  await asOwner(tab, shop)

  await goto(tab, `${url}/admin/payment-manager?status=pending&search=${buyer.username}`)
  await press(tab, 'button', 'Reject ₹302…')
  await fill(tab, 'Other reason…', 'No such payment')
  await press(tab, 'button', 'Reject')
  await expect.poll(async () => (await statusesOf(buyer)).includes('rejected')).toBe(true)
  await press(tab, 'button', 'Approve ₹301…')
  await see(tab, '₹301 approved')
  await expect.poll(async () => (await statusesOf(buyer)).includes('approved'), { timeout: 15_000 }).toBe(true)

  await goto(tab, `${url}/admin/key-manager`)
  await press(tab, 'button', 'Keys: add to Orbit Arena Pro, 5 Days')
  await fill(tab, 'Keys, one per line', `ENGINE-${freshUtr()}`)
  await press(tab, 'button', 'Check 1 key')
  await press(tab, 'button', 'Add 1 new key')
  await see(tab, '1 key added')

  await goto(tab, `${url}/admin/product-manager`)
  await press(tab, 'button', 'Edit Orbit Arena Pro')
  await fill(tab, 'Description…', 'Described in another engine.')
  await press(tab, 'button', 'Save changes')
  await see(tab, 'Orbit Arena Pro saved')
  expect(JSON.stringify(await owner.catalogue.list({}))).toContain('Described in another engine.')

  await goto(tab, `${url}/admin/user-manager?search=${buyer.username}`)
  await press(tab, 'button', `Edit ${buyer.username}`)
  await fill(tab, 'Amount (₹)', '7')
  await press(tab, 'button', 'Save changes')
  await expect.poll(async () => (await buyer.calls.sessions.me({})).balance).toBe(50 + 301 + 7)

  await goto(tab, `${url}/admin/dashboard`)
  await press(tab, 'button', 'UPI ID…')
  await fill(tab, 'UPI ID', 'engine@okaxis')
  await press(tab, 'button', 'Save UPI ID')
  await fill(tab, 'Your password', shop.admin.password)
  await press(tab, 'button', 'Confirm')
  await expect.poll(async () => (await owner.settings.upi({})).upiId).toBe('engine@okaxis')
}

const statusesOf = async ({ calls }: Buyer) => (await calls.payments.mine({})).map(({ status }) => status)

/** Made by LibreOffice. Each with what counts its credits, and the password that opens it. */
const STATEMENTS: [name: string, counted: string, password?: string][] = [
  ['writer.pdf', 'New credits48'],
  ['calc-locked.pdf', 'Upload 30 credits', 'ravi1990'],
  ['calc.xlsx', 'Upload 30 credits'],
]
/** The reader of PDFs is half a megabyte, and unlocking takes its time. */
const READ_MS_MAX = 60_000

/** The browser reads what banks give. */
export async function filePath(tab: Tab, shop: Shop): Promise<void> {
  await asOwner(tab, shop)
  await goto(tab, `${shop.url}/admin/bank`)
  await press(tab, 'button', 'Upload statement')
  for (const [name, counted, password] of STATEMENTS) {
    await chooseFile(tab, name, readFileSync(new URL(`../bank/files/${name}`, import.meta.url)))
    if (password !== undefined) {
      await see(tab, 'Password of the file', READ_MS_MAX)
      await fill(tab, 'Password of the file', password)
      await press(tab, 'button', 'Open')
    }
    await see(tab, 'Balances add up.', READ_MS_MAX)
    await see(tab, counted)
    expect(await cutOff(tab)).toEqual([])
    await press(tab, 'button', 'Back')
  }
}
