/**
 * Nothing that belongs to one person is in an answer to another (security.md: 8.2.2, 8.2.3, 16.2.5). A buyer and an
 * admin get secrets unlike any other. Then everybody else asks for everything: every endpoint of the contract with
 * their ids, their data as what is searched for and typed, every page, the live updates, and every call of the
 * contract's own walk. Bodies and headers are searched, in any form that shows the secret (canary.ts).
 */
// Planted once and found, each of them: an error that says why; a list of keys that forgets whose they are (in four
// calls and on two pages); an event to everyone with a phone in base64; a role too many at the list of keys. And not
// planted: exports wrote into the audit log what was searched for.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { mayCall, type AdminRole, type Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import { ALL_SCREENS } from '../screens.ts'
import { openShop, type Shop } from '../worlds/shop.ts'
import { overhearing, startStore, unique, type TestStore } from '../store.ts'
import { kindsIn, plant, reversed, type Canary } from './canary.ts'
import { everybodyElse, listen, textOf, type Person } from './people.ts'

let store: TestStore & { stop(): Promise<void> }
let shop: Shop
let people: Person[]
let canary: Canary
let web: string
/** By call: who may see what of somebody else. */
const DECLARED = Object.fromEntries(endpoints.map(({ name, shows }) => [name, shows]))
const isWrite = ({ method }: Endpoint) => method !== 'GET'
/** A page of the panel brings the answers of its calls, so it shows a role no more than some call does. */
const ON_PANEL = endpoints
  .filter(({ endpoint }) => !isWrite(endpoint))
  .flatMap(({ shows }) => Object.entries(shows))
  .reduce<Record<string, AdminRole[]>>(
    (all, [kind, roles]) => ({ ...all, [kind]: [...(all[kind] ?? []), ...roles] }),
    {},
  )
/** A page of the store begins with the products, as who looks at it may see them. */
const ON_STORE = DECLARED['GET /products'] ?? {}
/** Rows of the declaration that have shown what they may. */
const shown = new Set<string>()

beforeAll(async () => {
  web = mkdtempSync(path.join(tmpdir(), 'chaabi-leaks-'))
  mkdirSync(path.join(web, 'web'))
  cpSync('web/index.html', path.join(web, 'web/index.html'))
  cpSync('web/public/unavailable.html', path.join(web, 'web/unavailable.html'))
  store = await startStore(inject('engine'), { trustProxy: true, webDirectory: path.join(web, 'web') })
  shop = await openShop(store)
  people = await everybodyElse(shop)
  canary = await plant(shop)
})

afterAll(async () => {
  await store.stop()
  rmSync(web, { recursive: true })
})

/** Lists what an answer shows and may not, a line each. */
function leaksIn(
  text: string,
  { role, name }: Pick<Person, 'role' | 'name'>,
  call: string,
  planted = canary,
): string[] {
  const may = DECLARED[call] ?? (/^\/admin(\/|$)/.test(call) ? ON_PANEL : ON_STORE)
  return kindsIn(text, planted.secrets).flatMap((kind) => {
    const isDeclared = role !== undefined && may[kind]?.includes(role)
    if (isDeclared && call in DECLARED) shown.add(`${call}: ${kind}: ${role}`)
    return isDeclared ? [] : [`${call} shows ${name} the ${kind}`]
  })
}

/** Every path of an endpoint, with each of the canary's ids in each of its places. */
function pathsOf({ path }: Endpoint, { ids, secrets }: Canary): string[] {
  const places = path.match(/\{\w+\}/g) ?? []
  if (places.length === 0) return [path]
  const rest = (text: string) => text.replace('{duration}', '10%20Days').replace('{sessionId}', ids.session)
  const values = path.includes('{code}') ? [secrets.username, secrets['e-mail']] : Object.values(ids)
  return values.map((value) => rest(path.replace(places[0] ?? '', encodeURIComponent(value))))
}

/** The search texts. */
const SEARCHED = ['username', 'e-mail', 'phone', 'UTR', 'sold key'] as const

const inputsOf = ({ input }: Endpoint): string[] =>
  Object.keys((input as unknown as { _zod: { def: { shape: object } } })._zod.def.shape)

/** Every question that a list takes, about the canary. */
function queriesOf(endpoint: Endpoint, { ids, secrets }: Canary): string[] {
  const names = inputsOf(endpoint)
  const of = (values: Record<string, string>) => new URLSearchParams(values).toString()
  return [
    '',
    ...(names.includes('search') ? SEARCHED.map((kind) => of({ search: secrets[kind] })) : []),
    ...(names.includes('productId') ? [of({ productId: ids.product, duration: '10 Days' })] : []),
    ...(names.includes('cursor') ? [of({ cursor: ids.batch })] : []),
    ...(names.includes('holding') ? [of({ holding: 'money' })] : []),
    // Exports fill the newest page of the audit log
    ...(names.includes('action') ? [of({ action: 'product' })] : []),
    ...(names.includes('status') ? ['pending', 'approved', 'assigned'].map((status) => of({ status })) : []),
    of({ userId: ids.user, user: ids.user, id: ids.user, fields: '*', include: 'password,keys' }),
  ].map((query) => (query === '' ? '' : `?${query}`))
}

/**
 * A body with the canary's data in every field that may take it. Passwords and codes are wrong, or they would log in.
 */
function bodyOf(endpoint: Endpoint, { ids, secrets }: Canary): Record<string, unknown> {
  const values: Record<string, unknown> = {
    // A name that an admin gives to another is theirs to see
    username: endpoint.access === 'admin' ? unique('admin') : secrets.username,
    email: secrets['e-mail'],
    password: 'a wrong password',
    currentPassword: 'a wrong password',
    newPassword: 'another wrong password',
    referralCode: shop.referralCode,
    token: 'made-up',
    totp: '000000',
    role: 'owner',
    search: secrets['sold key'],
    productId: ids.product,
    productIds: [ids.product],
    duration: '10 Days',
    keys: [secrets['sold key'], secrets['unsold key']],
    key: secrets['sold key'],
    batchId: ids.batch,
    quantity: 1,
    amount: 10,
    utr: secrets.UTR,
    payerName: secrets.phone,
    reason: 'A reason',
    note: 'A note',
    customPrices: [{ productId: ids.product, duration: '10 Days', price: 1 }],
    hiddenProducts: [ids.product],
    on: true,
    name: 'A name',
    description: 'A description',
    prices: [{ duration: '10 Days', price: 1 }],
    code: unique('C').toUpperCase(),
    userId: ids.user,
    // Into none
    groupId: null,
  }
  return Object.fromEntries(inputsOf(endpoint).flatMap((name) => (name in values ? [[name, values[name]]] : [])))
}

/** All together. @returns each finding once */
async function ofEach(work: (person: Person, leaks: string[]) => Promise<void>): Promise<string[]> {
  const leaks: string[] = []
  await Promise.all(people.map((person) => work(person, leaks)))
  return [...new Set(leaks)]
}

const isStream = ({ stream }: Endpoint) => stream === 'text/event-stream'
const maySend = ({ access, ...endpoint }: Endpoint, role: AdminRole | undefined) =>
  access === 'admin' && role !== undefined && mayCall(endpoint, role)
/** Calls that end the caller's own session come last. */
const inOrder = endpoints.toSorted((a, b) => Number(/log-?out$/.test(a.name)) - Number(/log-?out$/.test(b.name)))

describe('v5.0.0-8.2.2 v5.0.0-8.2.3 what belongs to one person', () => {
  test('is found in the answers to that person, or the search finds nothing at all', async () => {
    const me = await canary.buyer.call('GET', '/auth/my-data')
    expect(kindsIn(JSON.stringify(me.body), canary.secrets)).toEqual(
      expect.arrayContaining(['sold key', 'phone', 'UTR', 'e-mail', 'username', 'address', 'browser', 'own price']),
    )
    for (const [kind, secret] of Object.entries(canary.secrets)) {
      for (const form of [
        `x${secret}y`,
        secret.toUpperCase(),
        reversed(secret),
        encodeURIComponent(secret),
        Buffer.from(secret).toString('hex'),
        Buffer.from(`ab${secret}cd`).toString('base64'),
        Buffer.from(`a${secret}`).toString('base64url'),
        JSON.stringify({ secret }).replaceAll('<', '\\u003c'),
      ])
        expect(kindsIn(form, canary.secrets), `${kind}: ${form}`).toContain(kind)
    }
  })

  test('is read by nobody else, whatever they ask and search for, and on no page', async () => {
    const leaks = await ofEach(async (person, leaks) => {
      for (const { endpoint, name } of endpoints.filter((each) => !isWrite(each.endpoint) && !isStream(each.endpoint)))
        for (const path of pathsOf(endpoint, canary))
          for (const query of queriesOf(endpoint, canary))
            for (const method of ['GET', 'HEAD'])
              if (method === 'GET' || query === '')
                leaks.push(...leaksIn(await person.ask(method, `/api${path}${query}`), person, name))
      for (const screen of [...ALL_SCREENS, '/no/such/page', '/api/no/such/call'])
        for (const query of ['', `?search=${canary.ids.user}&product=${canary.ids.product}`])
          leaks.push(...leaksIn(await person.ask('GET', screen + query), person, screen))
    })
    expect(leaks).toEqual([])
  })

  test('is not in what others are refused, with its ids and its data in every form', async () => {
    const leaks = await ofEach(async (person, leaks) => {
      for (const { endpoint, name } of inOrder.filter((each) => isWrite(each.endpoint))) {
        if (maySend(endpoint, person.role)) continue
        for (const path of pathsOf(endpoint, canary))
          leaks.push(
            ...leaksIn(await person.ask(endpoint.method, `/api${path}`, bodyOf(endpoint, canary)), person, name),
          )
      }
      await person.enter()
    })
    expect(leaks).toEqual([])
    // Nothing of all that has changed anything of theirs
    expect((await canary.buyer.get('/keys/user')).body).toMatchObject([{ key: canary.secrets['sold key'] }])
  })

  test('is not in what an admin gets for changing it', async () => {
    const leaks = await ofEach(async (person, leaks) => {
      let planted: Canary | undefined
      for (const { endpoint, name } of inOrder.filter((each) => isWrite(each.endpoint)))
        if (maySend(endpoint, person.role)) {
          planted ??= await plant(shop, canary)
          for (const path of pathsOf(endpoint, planted))
            for (const body of [undefined, bodyOf(endpoint, planted)])
              leaks.push(...leaksIn(await person.ask(endpoint.method, `/api${path}`, body), person, name, planted))
          // Whom it took away, or whose price it changed, is no longer there to be shown
          if (endpoint.method === 'DELETE' || /approve|reject|custom-prices/.test(endpoint.path)) planted = undefined
          if (/log-?out|password|sessions/.test(endpoint.path)) await person.enter()
        }
    })
    expect(leaks).toEqual([])
  })

  test('is told to nobody else as it happens', async () => {
    const ears = people.slice(1).map((person) => ({ person, stop: listen(shop, person.browser) }))
    const planted = await plant(shop)
    await planted.buyer.post('/auth/logout')
    // Events gather for a moment before they are sent
    await new Promise((resolve) => setTimeout(resolve, 500))
    const leaks: string[] = []
    for (const { person, stop } of ears) {
      const heard = await stop()
      expect(heard, person.name).toMatch(/^200[^]*retry:/)
      leaks.push(...leaksIn(heard, person, 'GET /events', planted))
    }
    expect(leaks).toEqual([])
  })

  test('is in no answer of the whole walk over the contract', async () => {
    const leaks: string[] = []
    const planted = await plant(shop)
    const own = [planted.buyer.cookies.get('chaabi_session'), planted.admin.cookies.get('chaabi_admin')]
    const roles = new Map(people.map(({ browser, role }) => [browser.cookies.get('chaabi_admin'), role]))
    const routes = endpoints.map(({ endpoint, name }) => ({ name, is: pattern(endpoint) }))
    await overhearing(
      ({ method, path, status, headers, text }, cookies) => {
        if (own.some((token) => token !== undefined && [...cookies.values()].includes(token))) return
        const admin = cookies.get('chaabi_admin')
        const role = admin === undefined ? undefined : (roles.get(admin) ?? 'owner')
        const call = routes.find(({ is }) => is.test(`${method} ${path}`))?.name ?? `${method} ${path}`
        const person = { role, name: role === undefined ? 'somebody' : `an admin (${role})` }
        leaks.push(...leaksIn(`${status}\n${textOf(headers)}\n${text}`, person, call, planted))
      },
      async () => {
        for (const { endpoint, succeed, provoke } of endpoints) {
          for (const act of [succeed, ...provoke.map(([, act]) => act)]) await act(shop)
          for (const { role, browser } of people)
            if (isWrite(endpoint) && maySend(endpoint, role))
              await succeed({ ...shop, owner: { ...browser, api: shop.owner.api } })
        }
      },
    )
    expect([...new Set(leaks)]).toEqual([])
  })

  test('is in no error, though the errors inside hold it', async () => {
    const { db } = store.app.services
    const { listen: _, connections: __, close: ___, ...held } = db
    const fail = () => Promise.reject(new Error(`invalid input: ${JSON.stringify(Object.values(canary.secrets))}`))
    const leaks: string[] = []
    const statuses = new Set<string>()
    Object.assign(db, Object.fromEntries(Object.keys(held).map((name) => [name, fail])))
    try {
      for (const person of people) {
        const calls = endpoints.filter((each) => !isStream(each.endpoint))
        for (const { endpoint, path, name } of calls) {
          const body = isWrite(endpoint) ? bodyOf(endpoint, canary) : undefined
          const answer = await person.ask(endpoint.method, `/api${path}`, body)
          statuses.add(answer.slice(0, 3))
          leaks.push(...leaksIn(answer, person, `broken ${name}`))
        }
        for (const screen of ALL_SCREENS)
          leaks.push(...leaksIn(await person.ask('GET', screen), person, `broken ${screen}`))
      }
    } finally {
      Object.assign(db, held)
    }
    expect(leaks).toEqual([])
    expect([...statuses]).toContain('500')
  })

  test('is shown at each place that is declared for it, to each role that is', () => {
    const declared = Object.entries(DECLARED).flatMap(([call, kinds]) =>
      Object.entries(kinds).flatMap(([kind, roles]) => roles.map((role) => `${call}: ${kind}: ${role}`)),
    )
    expect([...shown].toSorted()).toEqual(declared.toSorted())
  })
})

/** Finds the endpoint of a path that was called. */
const pattern = ({ method, path }: Endpoint) =>
  new RegExp(`^${method} ${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
