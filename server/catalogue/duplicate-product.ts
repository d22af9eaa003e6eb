import type { Product } from '../../contract/catalogue.ts'
import { Refusal } from '../../contract/errors.ts'
import { TITLE_LENGTH_MAX } from '../../contract/limits.ts'
import { parseRupees, ZERO } from '../../contract/money.ts'
import { textInOthers, textsInOthers } from '../../contract/owner-texts.ts'
import type { Services } from '../platform/services.ts'
import { readProduct } from './list-products.ts'
import type { ProvingBy } from '../audit/audit.ts'
import { createProduct } from './save-product.ts'

/** Room for " copy 9999". */
const SUFFIX_LENGTH = 10

/**
 * Adds a copy that is not listed. Stock, custom prices and the picture stay with the first product.
 * @throws Refusal NOT_FOUND
 */
export async function duplicateProduct(services: Services, id: string, by: ProvingBy): Promise<Product> {
  const source = await readProduct(services.db, id)
  if (!source) throw new Refusal('NOT_FOUND')
  const { description, hot, instructions = '', downloadUrl = '', remindDays = null } = source
  const others = textsInOthers(source, ['description', 'instructions'])
  const names = Object.entries(textInOthers(source, 'name'))
  const prices = source.prices.map(({ listPrice = 0, perBuyer = null, trial = false, steps = [], ...row }) => {
    const { duration, lowStockBelow } = row
    const copied = steps.map(({ from, price }) => ({ from, price: inPaise(price) }))
    return { duration, price: inPaise(listPrice), lowStockBelow, perBuyer, trial, steps: copied }
  })
  for (let number = 1; ; number++)
    try {
      const name = nameOfCopy(source.name, number)
      const otherNames = Object.fromEntries(names.map(([each, text]) => [each, nameOfCopy(text ?? '', number)]))
      const texts = { name, description, instructions, ...others, ...otherNames }
      return await createProduct(services, { ...texts, hot, downloadUrl, remindDays, isListed: false, prices }, by)
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'NAME_TAKEN')) throw error
    }
}

const inPaise = (rupees: number) => parseRupees(rupees) ?? ZERO

/** "Game" → "Game copy", "Game copy 2". A copy of a copy is one of "Game", too. */
function nameOfCopy(name: string, number: number): string {
  const base = name.replace(/ copy(?: \d+)?$/, '').slice(0, TITLE_LENGTH_MAX - SUFFIX_LENGTH)
  // The cut may have left half a character
  return `${base.replace(/[\uD800-\uDBFF]$/, '').trimEnd()} copy${number === 1 ? '' : ` ${number}`}`
}
