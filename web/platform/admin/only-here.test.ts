import { expect, test } from 'vitest'
import { isLoopback } from './only-here.ts'

test.each(['localhost', 'shop.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('%s opens on this machine only', (host) =>
  expect(isLoopback(host)).toBe(true),
)

test.each(['shop.example', '192.168.1.4', 'localhost.shop.example', '128.0.0.1', '[::2]'])(
  '%s opens elsewhere',
  (host) => expect(isLoopback(host)).toBe(false),
)
