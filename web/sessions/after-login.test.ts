import { expect, test } from 'vitest'
import { afterAdminLogin, afterLogin } from './after-login.ts'

test('a buyer comes back to where they were', () => {
  expect(afterLogin('/buy?product=Orbit')).toBe('/buy?product=Orbit')
  expect(afterLogin(undefined)).toBe('/')
})

test('what was behind the # comes back from the login’s own address', () => {
  expect(afterLogin('/add-balance', '#code=K7QM')).toBe('/add-balance#code=K7QM')
  expect(afterLogin('/my-key#one', '#two')).toBe('/my-key#one')
  expect(afterLogin('//elsewhere.example', '#code=K7QM')).toBe('/#code=K7QM')
  expect(afterLogin('/admin', '#code=K7QM')).toBe('/')
})

test('no link leads a buyer to another site, around in a circle, or to the admin pages', () => {
  expect(afterLogin('https://elsewhere.example')).toBe('/')
  expect(afterLogin('//elsewhere.example')).toBe('/')
  expect(afterLogin('/\\elsewhere.example')).toBe('/')
  expect(afterLogin('/login?next=/buy')).toBe('/')
  expect(afterLogin('/signup')).toBe('/')
  expect(afterLogin('/admin-login')).toBe('/')
  expect(afterLogin('/admin/users')).toBe('/')
})

test('an admin comes back to an admin page only', () => {
  expect(afterAdminLogin('/admin/purchases?page=2')).toBe('/admin/purchases?page=2')
  expect(afterAdminLogin('/buy')).toBe('/admin')
  expect(afterAdminLogin('/admin-login')).toBe('/admin')
  expect(afterAdminLogin('//elsewhere.example')).toBe('/admin')
})
