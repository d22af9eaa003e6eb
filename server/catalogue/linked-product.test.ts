import { expect, test } from 'vitest'
import { base64, jpeg, webp } from '../../test/pictures.ts'
import { withStore } from '../../test/store.ts'
import { metaIn, withPages } from '../../test/worlds/pages.ts'
import { openShop, type Shop } from '../../test/worlds/shop.ts'

const DESCRIPTION = `For all devices.\n  One key ${'and one phone '.repeat(20)}`
const HIDDEN = 'SECRET STEPS'

/** What messengers read of a page, by name. */
type Head = (search: string, language?: string) => Promise<Record<string, string>>

const withLinks = (work: (given: { shop: Shop; id: string; name: string; head: Head }) => Promise<void>) =>
  withPages((webDirectory) =>
    withStore(
      async (store) => {
        const shop = await openShop(store)
        const name = `Night "Circuit" & <b>VIP</b>`
        const { _id: id } = await shop.product({ name, stock: 3, prices: { '10 Days': 349.5 } })
        await shop.owner.api.catalogue.update({
          id,
          description: DESCRIPTION,
          nameHi: 'नाइट सर्किट',
          instructions: HIDDEN,
        })
        const head: Head = async (search, language = 'en') => {
          const headers = { cookie: `chaabi_language=${language}` }
          const text = await (await fetch(`${store.url}/buy${search}`, { headers })).text()
          expect(text).not.toContain(HIDDEN)
          expect(text.split('</head>')[0]).not.toMatch(/349|₹/)
          return metaIn(text)
        }
        await work({ shop, id, name, head })
      },
      { webDirectory, publicOrigin: 'https://keys.example' },
    ),
  )

const linkTo = (name: string) => `?product=${encodeURIComponent(name)}`

test('a link to a product shows its name, words and card, and never a price', () =>
  withLinks(async ({ shop, id, name, head }) => {
    const store = await head('')
    const { 'og:description': words = '', ...rest } = await head(linkTo(name))
    expect(rest).toMatchObject({
      'og:title': 'Night &quot;Circuit&quot; &amp; &lt;b>VIP&lt;/b> · Chaabi',
      'og:image': store['og:image'],
      'twitter:card': 'summary_large_image',
    })
    expect(words).toMatch(/^For all devices\. One key and one phone/)
    expect(Array.from(words).length).toBeLessThanOrEqual(160)

    const card = jpeg(1200, 630)
    await shop.owner.api.pictures.saveOfProduct({ id, data: base64(webp(320, 320)), card: base64(card) })
    const { 'og:image': image = '' } = await head(`${linkTo(` ${name.toUpperCase()} `)}&ref=WELCOME`)
    expect(image).toMatch(/^https:\/\/keys\.example\/pictures\/[\da-f]{40}\.jpg$/)
    const shown = await fetch(shop.store.url + new URL(image).pathname)
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(card)

    await shop.owner.api.pictures.saveOfProduct({ id, data: base64(webp(320, 320)) })
    expect((await head(linkTo(name)))['og:image']).toBe(store['og:image'])
    expect((await fetch(shop.store.url + new URL(image).pathname)).status).toBe(404)
  }))

test('a link in any language finds the product, and its words are those of the reader', () =>
  withLinks(async ({ name, head }) => {
    for (const known of [name, 'नाइट सर्किट']) {
      expect((await head(linkTo(known), 'hi'))['og:title']).toBe('नाइट सर्किट · Chaabi')
      expect((await head(linkTo(known)))['og:title']).toContain('Night')
    }
  }))

test('a link with a name in Hindi leads to the address that the screens know, with the rest of its query', () =>
  withLinks(async ({ shop, name }) => {
    const target = async (product: string) => {
      const query = new URLSearchParams({ product, ref: 'WELCOME' }).toString()
      const { status, headers } = await fetch(`${shop.store.url}/buy?${query}`, { redirect: 'manual' })
      const to = headers.get('location')
      return { status, ...(to !== null && Object.fromEntries(new URL(to, shop.store.url).searchParams)) }
    }
    expect(await target(' नाइट सर्किट')).toEqual({ status: 303, product: name, ref: 'WELCOME' })
    expect(await target(name.toUpperCase())).toEqual({ status: 200 })
    // The name of one product may be that of another in Hindi. Its own link stays its own
    await shop.product({ name: 'नाइट सर्किट', prices: { '10 Days': 100 } })
    expect(await target('नाइट सर्किट')).toEqual({ status: 200 })
  }))

test('any other link has the store’s head, byte for byte: unknown, hidden from visitors, hostile, long, twice', () =>
  withLinks(async ({ shop, id, name, head }) => {
    const store = await head('')
    const others = [
      '',
      '?product=',
      '?product=%3Cscript%3E',
      `?product=${'x'.repeat(8_000)}`,
      '?product=%E2%80%AE',
      '?product=%ff',
    ]
    for (const search of others) expect(await head(search), search.slice(0, 40)).toEqual(store)
    expect((await head(`${linkTo(name)}&product=Other`))['og:title']).toContain('Night')
    await shop.owner.api.catalogue.update({ id, isListed: false })
    expect(await head(linkTo(name))).toEqual(store)
    await shop.owner.api.catalogue.remove({ id })
    expect(await head(linkTo(name))).toEqual(store)
  }))

test('a card is a JPEG of the size that messengers show', () =>
  withLinks(async ({ shop, id }) => {
    const save = (card: Buffer) =>
      shop.owner.put(`/pictures/products/${id}`, { data: base64(webp(320, 320)), card: base64(card) })
    for (const wrong of [webp(1200, 630), jpeg(1200, 1200), Buffer.from('<svg/>')])
      expect(await save(wrong)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await save(jpeg(1200, 630))).toMatchObject({ status: 200 })
  }))
