/** The commands of docs/resellers.md, as a reseller copies them into a shell. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { withStore } from './store.ts'
import { aProgram, aReseller } from './worlds/resellers.ts'
import { openShop } from './worlds/shop.ts'

const run = promisify(execFile)
const page = readFileSync('docs/resellers.md', 'utf8')
const commands = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => text)

test('Each command of the page for resellers does what the page says', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: PRODUCT } = await shop.product({ stock: 5 })
    const reseller = await aReseller(shop, { balance: 500 })
    const { token: TOKEN } = await aProgram(shop, reseller)
    const env = { ...process.env, STORE: store.url, TOKEN, PRODUCT, KEY: '' }
    const sh = async (command: string | undefined) =>
      (await run('bash', ['-euo', 'pipefail', '-c', command ?? 'false'], { env })).stdout
    const json = async (command: string | undefined): Promise<unknown> => JSON.parse(await sh(command))

    const [own, products, etag, buy, ask, orders, report] = commands
    expect(commands).toHaveLength(7)
    const shown = JSON.parse(/^```json\n(.*?)^```/ms.exec(page)?.[1] ?? '') as object
    expect(Object.keys((await json(own)) as object)).toEqual(Object.keys(shown))
    expect(await json(products)).toMatchObject([{ _id: PRODUCT, prices: [{ duration: '10 Days', price: 100 }] }])
    expect((await sh(etag)).trim()).toBe('304')
    const bought = (await json(buy)) as { keys: { _id: string }[]; order: object }
    expect(bought).toMatchObject({ keys: [{}, {}], order: { amount: 200, balanceAfter: 300 } })
    expect(await json(buy)).toEqual(bought)
    expect(await json(ask)).toEqual(bought)
    expect(await json(orders)).toMatchObject({ orders: [{ idempotencyKey: 'order-1001', quantity: 2, amount: 200 }] })
    env.KEY = bought.keys[0]?._id ?? ''
    expect(await sh(report)).toContain('"status":"open"')
  }))
