import { expect, test } from 'vitest'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'

test('security.txt names the support link for less than a year, and is not there without one', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const ask = () => fetch(`${store.url}/.well-known/security.txt`)
    await shop.owner.api.settings.saveStore({ supportUrl: '' })
    expect((await ask()).status).toBe(404)

    await shop.owner.api.settings.saveStore({ supportUrl: 'https://wa.me/919876543210' })
    const answer = await ask()
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const lines = (await answer.text()).trimEnd().split('\n')
    expect(lines).toEqual([
      'Contact: https://wa.me/919876543210',
      expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT[\d:.]+Z$/),
      'Preferred-Languages: en, hi',
    ])
    const days = (Date.parse(lines[1]?.slice(9) ?? '') - store.clock.now().getTime()) / 86_400_000
    expect(days).toBe(90)
  }))
