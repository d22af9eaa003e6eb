/** A group of buyers while edited, and what its buyers pay. */
import * as z from 'zod/mini'
import type { Product } from '../../../contract/catalogue.ts'
import { groups, type BuyerGroup } from '../../../contract/groups.ts'
import { paise, parseRupees, toRupees, ZERO } from '../../../contract/money.ts'
import { lessPercent } from '../../../contract/prices.ts'

type Price = Product['prices'][number]

export interface GroupDraft {
  name: string
  percentOff: string
  /** Empty where nobody joins by what they buy. */
  fromSpent: string
  /** Typed prices by the duration's _id. Empty for the percentage. */
  prices: Readonly<Record<string, string>>
}

export const draftOf = (group?: BuyerGroup): GroupDraft => ({
  name: group?.name ?? '',
  percentOff: group ? String(group.percentOff) : '',
  fromSpent: String(group?.fromSpent ?? ''),
  prices: Object.fromEntries(group?.prices.map(({ priceId, price }) => [priceId, String(price)]) ?? []),
})

/** What is sent of what is typed, whether it is right or not. */
export const termsOf = ({ name, percentOff, fromSpent, prices }: GroupDraft): z.input<typeof groups.create.input> => ({
  name: name.trim(),
  percentOff: percentOff.trim() || '0',
  fromSpent: fromSpent.trim() || null,
  prices: Object.entries(prices).flatMap(([priceId, typed]) => (typed.trim() ? [{ priceId, price: typed }] : [])),
})

/** Checks a draft as the server will. */
export const GroupInput = z.pipe(z.transform(termsOf), groups.create.input)

export const isPriceWrong = (typed: string): boolean => typed.trim() !== '' && (parseRupees(typed) ?? ZERO) <= 0

/** What the percentage makes of a list price, in rupees. Undefined for what is not for sale to all. */
export function lessOf({ listPrice = 0 }: Price, percentOff: number): number | undefined {
  const list = parseRupees(listPrice) ?? ZERO
  return list === 0 ? undefined : Math.min(listPrice, toRupees(paise(lessPercent(list, percentOff))))
}

/** What a group pays for one of a duration, in rupees. Undefined for what is not for sale to it. */
export function groupPriceOf({ percentOff, prices }: BuyerGroup, price: Price): number | undefined {
  const own = prices.find(({ priceId }) => priceId === price._id)?.price
  return own === undefined ? lessOf(price, percentOff) : Math.min(own, price.listPrice || own)
}
