/** Opens a store for buyers through its own calls. The demo and the tests' stores begin this way. */
import type { Api } from '../../contract/api.ts'
import type { Product, ProductText } from '../../contract/catalogue.ts'
import type { Client } from '../../contract/client.ts'
import type { OtherTexts } from '../../contract/owner-texts.ts'

type Caller = Client<Api>

interface NewProduct extends OtherTexts<ProductText> {
  name: string
  description: string
  hot?: boolean
  instructions?: string
  downloadUrl?: string
  isListed?: boolean
  /** Rupees by duration. */
  prices: Record<string, number>
  /** Keys of each duration. */
  stock: number
  /** Makes the texts of the keys; each must be different. */
  keyText: (priceIndex: number, n: number) => string
  /** What is noted of each batch. */
  delivery?: { supplier?: string; costPerKey?: number; note?: string }
}

export async function addProduct(
  owner: Caller,
  { prices, stock, keyText, delivery, ...product }: NewProduct,
): Promise<Product & { keyTexts: string[] }> {
  const saved = await owner.catalogue.create({
    ...product,
    prices: Object.entries(prices).map(([duration, price]) => ({ duration, price })),
  })
  const keyTexts: string[] = []
  for (const [index, { duration }] of saved.prices.entries()) {
    if (stock === 0) continue
    const keys = Array.from({ length: stock }, (_, n) => keyText(index, n))
    await owner.keys.add({ productId: saved._id, duration, keys, ...delivery })
    keyTexts.push(...keys)
  }
  return { ...saved, keyTexts }
}

interface Joining {
  username: string
  password: string
  referralCode: string
}

/** Signs up, with an e-mail like the username. @returns that e-mail */
export async function signUp(browser: Caller, { username, ...rest }: Joining): Promise<string> {
  const email = `${username}@example.in`
  await browser.sessions.register({ email, username, ...rest })
  return email
}
