/** A fault of ours is never called one of the network. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../../contract/api.ts'
import { endpointTable } from '../../../contract/client.ts'

vi.resetModules()
vi.stubGlobal('__ENDPOINTS__', endpointTable(api))
const { ApiError } = await import('./api-error.ts')
const { client } = await import('./client.ts')
const { isFetchFailure } = await import('../navigation/navigation.ts')

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ text: 'Open' })))
})
afterEach(() => vi.unstubAllGlobals())

const failure = (): Promise<unknown> => client.settings.notice({}).then(String, (error: unknown) => error)

test('a call needs nothing that phones of 2022 lack', async () => {
  vi.stubGlobal('AbortSignal', {})
  expect(await client.settings.notice({})).toEqual({ text: 'Open' })
})

// Seen to fail while the call's own preparations were inside what waits for the network
test.each(['AbortController'])('a browser without %s is not offline', async (name) => {
  vi.stubGlobal(name, undefined)
  const error = await failure()
  expect(error).toBeInstanceOf(TypeError)
  expect(error).not.toBeInstanceOf(ApiError)
})

test('a failed fetch is, and an answer that never comes', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await failure()).toMatchObject({ code: 'OFFLINE' })
})

test.each([
  ['Failed to fetch dynamically imported module: https://shop.example/assets/a.js', true],
  ['error loading dynamically imported module: https://shop.example/assets/a.js', true],
  ['Importing a module script failed.', true],
  ['NetworkError when attempting to fetch resource.', true],
  ['Load failed', true],
  ['URL.canParse is not a function', false],
  ['AbortSignal.any is not a function. (In ‘AbortSignal.any([a, b])’)', false],
  ['Cannot read properties of undefined (reading ‘import’)', false],
  ['modules.fetch is not a function', false],
])('of a part of the page: %s', (message, isOfNetwork) => {
  expect(isFetchFailure(new TypeError(message))).toBe(isOfNetwork)
})
