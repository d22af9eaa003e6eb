import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { PICTURE_RULES, type PictureKind } from '../../contract/pictures.ts'
import { anAdmin } from '../../test/worlds/admins.ts'
import { base64, chunk, extended, FLAGS, frame, jpeg, jpegSegment, lossless, riff, webp } from '../../test/pictures.ts'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { checkPicture } from './check-picture.ts'

const PLACE = Buffer.from('GPSLatitude 28.6139')
const EXIF = chunk('EXIF', PLACE)
const check = (file: Buffer, kind: PictureKind = 'product') => checkPicture(file, PICTURE_RULES[kind])
const reasonOf = (file: Buffer, kind?: PictureKind): string => {
  try {
    check(file, kind)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const png = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  const bomb = deflateSync(Buffer.alloc(1_000_000))
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), size, bomb])
}

test.each<[string, Buffer, string]>([
  ['no bytes', Buffer.alloc(0), 'Choose a WebP or JPEG'],
  ['two bytes', Buffer.of(0xff, 0xd8), 'Choose a WebP or JPEG'],
  ['only a header', Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'), 'damaged'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'Choose a WebP or JPEG'],
  ['a PNG that unpacks to a lot', png(20_000, 20_000), 'Choose a WebP or JPEG'],
  ['a GIF', Buffer.from('GIF89a'), 'Choose a WebP or JPEG'],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'Choose a WebP or JPEG'],
  ['a page behind the picture', Buffer.concat([webp(320, 320), Buffer.from('<script>alert(1)</script>')]), 'damaged'],
  ['an archive behind the picture', Buffer.concat([webp(320, 320), Buffer.from('PK\x05\x06')]), 'damaged'],
  ['an archive behind a JPEG', Buffer.concat([jpeg(320, 320), Buffer.from('PK\x05\x06')]), 'damaged'],
  ['half a picture', webp(320, 320).subarray(0, 40), 'damaged'],
  ['half a JPEG', jpeg(320, 320).subarray(0, -2), 'damaged'],
  ['a chunk that is longer than the file', riff(frame(320, 320).subarray(0, 30)), 'damaged'],
  ['a frame that is longer than its chunk', riff(frame(320, 320, 4)), 'damaged'],
  ['two pictures', riff(frame(320, 320), frame(64, 64)), 'damaged'],
  ['a picture of another size than it says', riff(extended(0, 320, 320), frame(64, 64)), 'damaged'],
  ['a picture that moves', riff(extended(FLAGS.moving, 320, 320), frame(320, 320)), 'Animated'],
  ['the frames of a film', riff(extended(0, 320, 320), chunk('ANIM', Buffer.alloc(6)), frame(320, 320)), 'Animated'],
  ['50,000 × 50,000', riff(extended(0, 50_000, 50_000), frame(50_000, 50_000)), 'damaged'],
  ['16,383 × 16,383', webp(16_383, 16_383), 'It must be square'],
  ['a JPEG of 50,000 × 50,000', jpeg(50_000, 50_000), '50000 × 50000 pixels'],
  ['one pixel', webp(1, 1), 'It must be square'],
  ['a picture that is not square', webp(320, 321), 'It must be square'],
])('%s is refused', (_, file, reason) => {
  expect(reasonOf(file)).toContain(reason)
})

test('the limit is a whole picture, and not a byte more', () => {
  const least = webp(512, 512, 0).length
  for (const kind of ['logo', 'product'] as const) {
    const { bytesMax } = PICTURE_RULES[kind]
    expect(reasonOf(webp(512, 512, bytesMax - least), kind)).toBe('')
    expect(reasonOf(Buffer.concat([webp(512, 512, bytesMax - least), Buffer.of(0)]), kind)).toContain('too large')
  }
})

test('a shared picture has the size that messengers show', () => {
  expect(reasonOf(jpeg(1200, 630), 'share')).toBe('')
  expect(reasonOf(jpeg(1200, 1200), 'share')).toContain('1200 pixels wide and 630 high')
})

test('what a WebP holds beside its picture is dropped: place, profile, unknown chunks', () => {
  const profile = chunk('ICCP', Buffer.from('a profile'))
  const page = chunk('HTML', Buffer.from('<script>alert(1)</script>'))
  const flags = FLAGS.icc | FLAGS.exif | FLAGS.xmp
  const full = riff(extended(flags, 320, 320), profile, frame(320, 320), EXIF, chunk('XMP ', PLACE), page)
  const { bytes, ...size } = check(full)
  expect(size).toEqual({ type: 'webp', width: 320, height: 320 })
  expect(bytes).toEqual(webp(320, 320))
})

test('a WebP keeps its transparency, in either form', () => {
  const alpha = chunk('ALPH', Buffer.alloc(9))
  const seen = riff(extended(FLAGS.alpha, 320, 320), alpha, frame(320, 320))
  expect(check(riff(extended(FLAGS.alpha | FLAGS.exif, 320, 320), alpha, frame(320, 320), EXIF)).bytes).toEqual(seen)
  expect(check(riff(lossless(320, 320))).bytes).toEqual(riff(lossless(320, 320)))
})

test('what a JPEG holds beside its picture is dropped', () => {
  const hidden = [jpegSegment(0xe1, PLACE), jpegSegment(0xe2, PLACE), jpegSegment(0xfe, PLACE)]
  const { bytes, ...size } = check(jpeg(320, 320, ...hidden))
  expect(size).toEqual({ type: 'jpg', width: 320, height: 320 })
  expect(bytes).toEqual(jpeg(320, 320))
})

test('every cut of a file, and every changed byte, is refused or read, and never an error', () => {
  for (const file of [webp(320, 320), jpeg(320, 320), riff(extended(0, 64, 64), frame(64, 64), EXIF)])
    for (let at = 0; at < file.length; at++) {
      expect(reasonOf(file.subarray(0, at)), `cut at ${at}`).toMatch(/Choose|damaged|Animated/)
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(file)
        changed[at] = value
        expect(reasonOf(changed), `${at} is ${value}`).toMatch(/^$|Choose|damaged|Animated|It must be/)
      }
    }
})

const shown = (store: TestStore, path: string, headers: Record<string, string> = {}) =>
  fetch(store.url + path, { headers })

test('v5.0.0-5.2.2 v5.0.0-3.2.1 a picture is sent as nothing but a picture, and may be kept forever', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    const file = webp(512, 512)
    const { picture } = await owner.api.pictures.saveOfStore({ place: 'logo', data: base64(file) })

    const answer = await shown(store, picture)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(file)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    const again = await shown(store, picture, { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect((await fetch(store.url + picture, { method: 'HEAD' })).status).toBe(200)
    expect((await owner.api.settings.site({})).logo).toBe(picture)
  }))

test('a picture is gone when it was removed, replaced, or its product deleted', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { owner } = shop
    const statusOf = async (path: string) => (await shown(store, path)).status
    const first = await owner.api.pictures.saveOfStore({ place: 'logo', data: base64(webp(512, 512)) })
    expect(await statusOf(first.picture)).toBe(200)
    const second = await owner.api.pictures.saveOfStore({ place: 'logo', data: base64(webp(512, 512, 90)) })
    expect([await statusOf(first.picture), await statusOf(second.picture)]).toEqual([404, 200])
    await owner.api.pictures.removeOfStore({ place: 'logo' })
    expect(await statusOf(second.picture)).toBe(404)
    expect(await owner.api.settings.site({})).not.toHaveProperty('logo')

    const { _id: id } = await shop.product()
    const { picture } = await owner.api.pictures.saveOfProduct({ id, data: base64(webp(320, 320)) })
    const pictureOf = async () => (await store.browser().api.catalogue.list({})).find(({ _id }) => _id === id)?.picture
    expect(await pictureOf()).toBe(picture)
    expect(picture).not.toBe(first.picture)
    await owner.api.catalogue.remove({ id })
    expect(await statusOf(picture)).toBe(404)
    await owner.api.catalogue.restore({ id })
    expect([await statusOf(picture), await pictureOf()]).toEqual([200, picture])
    await owner.api.pictures.removeOfProduct({ id })
    expect([await statusOf(picture), await pictureOf()]).toEqual([404, undefined])
  }))

test('a picture that should replace another one than is there is refused, and that one stays', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    const save = (length: number, more: { expected?: string } = {}) =>
      owner.put('/pictures/store/logo', { data: base64(webp(512, 512, length)), ...more })
    const first = await save(90, { expected: '' })
    const newer = await save(92)

    for (const expected of ['', first.body.picture])
      expect(await save(94, { expected })).toMatchObject({ status: 409, body: { code: 'PICTURE_CHANGED' } })
    expect((await owner.api.settings.site({})).logo).toBe(newer.body.picture)
    expect(await save(94, { expected: newer.body.picture })).toMatchObject({ status: 200 })
  }))

test('a made-up address gives nothing, whatever it is', () =>
  withStore(async (store) => {
    const names = ['0'.repeat(40), `${'0'.repeat(40)}.svg`, `${'0'.repeat(40)}.webp`, 'logo', '..%2flogo', '%00.webp']
    for (const name of names) expect((await shown(store, `/pictures/${name}`)).status, name).toBe(404)
  }))

test('a refused file changes nothing, and the reason is in words', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    const put = (data: unknown, type = 'application/json') =>
      owner.call('PUT', '/pictures/store/logo', JSON.stringify({ data }), { 'content-type': type })
    await put(base64(webp(512, 512)))
    const { logo } = await owner.api.settings.site({})

    expect(await put(base64(webp(1, 1)))).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await put('')).toMatchObject({ status: 400, body: { message: 'Choose a WebP or JPEG picture.' } })
    expect(await put('***')).toMatchObject({ status: 400, body: { message: 'Send the file as base64' } })
    expect(await put(null)).toMatchObject({ status: 400 })
    expect(await put(base64(webp(320, 320)), 'image/webp')).toMatchObject({ status: 415 })
    expect(await put(base64(webp(320, 320)), 'multipart/form-data')).toMatchObject({ status: 415 })
    expect(await put('A'.repeat(200_000))).toMatchObject({ status: 413 })
    expect(await owner.put('/pictures/store/banner', { data: base64(webp(320, 320)) })).toMatchObject({ status: 400 })
    expect((await owner.api.settings.site({})).logo).toBe(logo)
  }))

test('only the calls for pictures take a body of that size, and only from an admin who may', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: id } = await shop.product()
    const large = { data: 'A'.repeat(150_000), heroLine: 'A' }
    expect(await shop.owner.put('/settings/face', large)).toMatchObject({ status: 413 })
    expect(await shop.owner.put(`/products/${id}`, large)).toMatchObject({ status: 413 })
    const stock = (await anAdmin(shop, 'stock')).browser
    expect(await stock.put('/pictures/store/logo', { data: base64(webp(512, 512)) })).toMatchObject({ status: 403 })
    expect(await stock.put(`/pictures/products/${id}`, { data: base64(webp(320, 320)) })).toMatchObject({ status: 200 })
  }))

test('two admins who change one picture together leave one', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: id } = await shop.product()
    const sizes = Array.from({ length: 8 }, (_, n) => 64 + n)
    const saved = await Promise.all(
      sizes.map((size) => shop.owner.put(`/pictures/products/${id}`, { data: base64(webp(size, size)) })),
    )
    expect(saved.map(({ status }) => status)).toEqual(sizes.map(() => 200))
    const [product] = await shop.owner.api.catalogue.list({})
    const live = await Promise.all(saved.map(async ({ body }) => (await shown(store, body.picture)).status))
    expect(live.filter((status) => status === 200)).toHaveLength(1)
    expect(saved[live.indexOf(200)]?.body.picture).toBe(product?.picture)
  }))

test('a saved accent or headline makes open pages reload, and says nothing else', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    const { settingsVersion } = await owner.api.settings.version({})
    expect(await owner.api.settings.saveFace({ heroLine: ' <b>Keys</b> ' })).toMatchObject({ heroLine: '<b>Keys</b>' })
    expect(await owner.api.settings.saveFace({ accent: 'sky' })).toMatchObject({
      accent: 'sky',
      heroLine: '<b>Keys</b>',
    })
    expect((await owner.api.settings.version({})).settingsVersion).toBe(settingsVersion + 2)
    expect(await owner.put('/settings/face', { accent: 'red' })).toMatchObject({ status: 400 })
    expect(await owner.put('/settings/face', { heroLine: 'x'.repeat(81) })).toMatchObject({ status: 400 })
    expect(await owner.put('/settings/face', { heroLine: 'a\u202eb' })).toMatchObject({ status: 400 })
  }))
