import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { cookieIn } from './cookies.ts'

const read = (cookie: string | undefined, name = 'theme') => cookieIn({ headers: { cookie } } as FastifyRequest, name)

test.each([
  ['theme=light', 'light'],
  ['zone=Asia/Kolkata; theme=light', 'light'],
  ['zone=Asia/Kolkata;theme=light;', 'light'],
  ['theme=light; theme=dark', 'light'],
  ['theme=%E2%82%B9', '₹'],
  ['theme="light"', '"light"'],
  ['theme=a=b', 'a=b'],
  ['theme=', ''],
  ['mytheme=light', undefined],
  ['my theme=light', undefined],
  ['other=theme=light', undefined],
  ['mytheme=light; theme=dark', 'dark'],
  ['themes=light; theme', undefined],
  ['', undefined],
  [undefined, undefined],
])('Of the cookies %s the theme is %s', (cookie, value) => {
  expect(read(cookie)).toBe(value)
})

test('Thousands of odd cookies before it make a cookie no dearer to find', () => {
  const odd = Array.from({ length: 1_500 }, (_, n) => `${n.toString(36)}=; `).join('')
  const timeOf = (work: () => unknown) => {
    const start = process.cpuUsage()
    for (let n = 0; n < 300; n++) work()
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const all = () => odd.split('; ').map((pair) => pair.split('='))
  timeOf(() => read(`${odd}theme=light`))
  expect(read(`${odd}theme=light`)).toBe('light')
  expect(timeOf(() => read(`${odd}theme=light`))).toBeLessThan(timeOf(all) / 4)
})
