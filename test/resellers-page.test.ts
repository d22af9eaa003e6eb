/** The commands of docs/resellers.md, as a reseller copies them into a shell. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

const ORDER = '{"productId": "PRODUCT", "duration": "10 Days", "quantity": COUNT, "expectedPrice": 100}'
const LANGUAGES = [
  {
    name: 'js',
    program: 'node',
    flag: '-e',
    use: `buy('NUMBER', ORDER).then((keys) => console.log(JSON.stringify(keys)))`,
  },
  { name: 'php', program: 'php', flag: '-r', use: `echo json_encode(buy('NUMBER', json_decode('ORDER', true)));` },
  { name: 'python', program: 'python3', flag: '-c', use: `print(json.dumps(buy('NUMBER', ORDER)))` },
]

for (const { name, program, flag, use } of LANGUAGES) {
  const isInstalled = spawnSync(program, ['--version']).status === 0
  test.runIf(isInstalled)(`The page's ${name} buys once when the first answer is lost, and says a refusal`, () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { _id } = await shop.product({ stock: 3 })
      const reseller = await aReseller(shop, { balance: 500 })
      const { token: TOKEN } = await aProgram(shop, reseller)
      const line = await losingTheFirstAnswer(store.url)
      const text = new RegExp(`^\`\`\`${name}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? ''
      const buy = (number: string, count: number) => {
        const call = use
          .replace('NUMBER', number)
          .replace('ORDER', ORDER.replace('PRODUCT', _id).replace('COUNT', `${count}`))
        return run(program, [flag, `${text}\n${call}`], { env: { ...process.env, STORE: line.url, TOKEN } })
      }
      try {
        const keys = JSON.parse((await buy('order-7', 2)).stdout) as string[]
        expect(line.asked()).toBe(2)
        const { orders } = await reseller.api.orders.mine({})
        expect(orders).toMatchObject([{ idempotencyKey: 'order-7', amount: 200 }])
        expect(keys.toSorted()).toEqual((await reseller.api.keys.mine({})).map(({ key }) => key).toSorted())
        await expect(buy('order-8', 2)).rejects.toThrow('OUT OF STOCK')
      } finally {
        await line.close()
      }
    }),
  )
}

/** A line to the store on which its first answer does not arrive. */
async function losingTheFirstAnswer(store: string) {
  let asked = 0
  const server = createServer((request, response) => {
    void (async () => {
      asked++
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { authorization = '', 'idempotency-key': number } = request.headers
      const answer = await fetch(`${store}${request.url}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': String(number) },
        body: Buffer.concat(chunks),
      })
      const body = await answer.text()
      if (asked === 1) response.destroy()
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
