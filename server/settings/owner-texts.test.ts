/** A translation belongs to the text that it translates, for every text that an owner can write in both languages. */
import { expect, test } from 'vitest'
import type { ProductText } from '../../contract/catalogue.ts'
import type { SettingsText } from '../../contract/settings.ts'
import { withStore } from '../../test/store.ts'
import { openShop, type Shop } from '../../test/worlds/shop.ts'

interface OwnerText {
  /** Sends the English text, the Hindi one, or both. */
  save(shop: Shop, english?: string, hindi?: string): Promise<unknown>
  /** What a reader of Hindi gets; undefined for the English text. */
  hindi(shop: Shop): Promise<string | undefined>
  outdated(shop: Shop): Promise<string | undefined>
  /** True for a text that every store has. */
  isRequired?: true
}

const sent = (name: string, english?: string, hindi?: string) => ({
  ...(english !== undefined && { [name]: english }),
  ...(hindi !== undefined && { [`${name}Hi`]: hindi }),
})

const outdatedSetting = (name: SettingsText) => async (shop: Shop) =>
  (await shop.owner.api.settings.store({})).outdated?.[`${name}Hi`]

const ofProduct = (name: ProductText): OwnerText => {
  const product = async (shop: Shop) =>
    (await shop.owner.api.catalogue.list({}))[0] ??
    (await shop.owner.api.catalogue.create({ name: 'Pass', prices: [{ duration: '10 Days', price: 100 }] }))
  return {
    ...(name === 'name' && { isRequired: true as const }),
    save: async (shop, ...texts) =>
      shop.owner.api.catalogue.update({ id: (await product(shop))._id, ...sent(name, ...texts) }),
    hindi: async (shop) => (await product(shop))[`${name}Hi`],
    outdated: async (shop) => (await product(shop)).outdated?.[`${name}Hi`],
  }
}

const OWNER_TEXTS: Record<SettingsText | ProductText, OwnerText> = {
  notice: {
    save: async (shop, text = '', noticeHi?: string) =>
      shop.owner.put('/notice', { text, ...(noticeHi !== undefined && { noticeHi }) }),
    hindi: async (shop) => (await shop.visitor().api.settings.notice({})).noticeHi,
    outdated: outdatedSetting('notice'),
  },
  websiteTitle: {
    isRequired: true,
    save: (shop, websiteTitle = 'After', websiteTitleHi?: string) =>
      shop.owner.api.settings.saveSite({ websiteName: 'Nova', websiteTitle, websiteTitleHi }),
    hindi: async (shop) => (await shop.visitor().api.settings.site({})).websiteTitleHi,
    outdated: outdatedSetting('websiteTitle'),
  },
  heroLine: {
    save: (shop, ...texts) => shop.owner.api.settings.saveFace(sent('heroLine', ...texts)),
    hindi: async (shop) => (await shop.visitor().api.settings.site({})).heroLineHi,
    outdated: outdatedSetting('heroLine'),
  },
  refundNote: {
    save: (shop, ...texts) => shop.owner.api.settings.saveStore(sent('refundNote', ...texts)),
    hindi: async (shop) => (await shop.visitor().api.settings.site({})).refundNoteHi,
    outdated: outdatedSetting('refundNote'),
  },
  name: ofProduct('name'),
  description: ofProduct('description'),
  instructions: ofProduct('instructions'),
}

test.each(Object.entries(OWNER_TEXTS))('of %s', (_, text) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    await text.save(shop, 'Before', 'पहले')
    expect(await text.hindi(shop)).toBe('पहले')
    await text.save(shop, 'Before')
    expect(await text.hindi(shop)).toBe('पहले')

    // Out of date: buyers get the new English one, and the admin has the old one still
    await text.save(shop, 'After')
    expect([await text.hindi(shop), await text.outdated(shop)]).toEqual([undefined, 'पहले'])
    await text.save(shop, 'After', 'पहले')
    expect([await text.hindi(shop), await text.outdated(shop)]).toEqual(['पहले', undefined])

    // A client that always sends its whole form has translated nothing
    await text.save(shop, 'Later', 'पहले')
    expect([await text.hindi(shop), await text.outdated(shop)]).toEqual([undefined, 'पहले'])
    await text.save(shop, 'Now', 'अब')
    expect([await text.hindi(shop), await text.outdated(shop)]).toEqual(['अब', undefined])

    if (text.isRequired) return
    await text.save(shop, '')
    expect([await text.hindi(shop), await text.outdated(shop)]).toEqual([undefined, undefined])
    await text.save(shop, 'Again')
    expect(await text.hindi(shop)).toBe(undefined)
  }),
)
