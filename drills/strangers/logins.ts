/**
 * Guessing strangers, and storms of logins and sign-ups. Measures the lockouts and the waiting times of honest
 * people.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import { ms, percentile } from '../drill.ts'
import { send } from '../send.ts'
import { ADMIN, type StoreProcess } from '../store-process.ts'
import { openStore } from './open-store.ts'
import type { Figure, Scenario } from './scenario.ts'

const PASSWORD = 'a drill buyer password'
const CODE = 'DRILLCODE'
const HONEST_MS_MAX = 1_000
const HOME = '203.0.113.9'

/** Has the limits of a real store, behind a proxy that names the caller. */
export const logIn: Scenario = async ({ directories, quick, say }) => {
  const { store, shop } = await openStore(directories, { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1' })
  const db = store.database()
  const people = await db.rows(
    sql(z.object({ id: z.string(), username: z.string() }))`select id, username from users order by username`,
  )
  const buyers = shop.buyers.map(({ id, cookie }) => ({
    cookie,
    username: people.find((each) => each.id === id)?.username ?? '',
  }))
  await createCode(db)
  await db.close()
  const seconds = quick ? 2 : 10
  const figures = [
    ...(await besideRightPasswords(store, buyers, { seconds, say })),
    ...(await besideMadeUpNames(store, buyers, { seconds, say })),
    ...(await besideGuesses(store)),
    ...(await besideWrongCodes(store, quick ? 200 : 1_000)),
  ]
  await store.stop()
  return figures
}

interface Person {
  username: string
  cookie: string
}
interface Storm {
  seconds: number
  say(line: string): void
}

const call = (store: StoreProcess, path: string, from: string, body: object, cookie?: string) =>
  send({
    port: store.port,
    method: 'POST',
    path: `/api${path}`,
    body: JSON.stringify(body),
    headers: { 'x-forwarded-for': from },
    ...(cookie !== undefined && { cookie }),
  })

const logInAs = (store: StoreProcess, { username, cookie }: Person, from: string) =>
  call(store, '/auth/login', from, { username, password: PASSWORD }, cookie)

/** Ten buyers with twenty running logins each, and one who logs in once, all behind one address. */
async function besideRightPasswords(store: StoreProcess, [honest, ...others]: Person[], storm: Storm) {
  return measure(store, honest, HOME, storm, 'ten buyers with twenty logins in flight each', async (isOver) => {
    const again = async (buyer: Person) => {
      while (!isOver()) await logInAs(store, buyer, HOME)
    }
    await Promise.all(others.slice(0, 10).flatMap((buyer) => Array.from({ length: 20 }, () => again(buyer))))
  })
}

/** Sixty unknown names a second, each from another /64 of one /48. */
async function besideMadeUpNames(store: StoreProcess, [honest]: Person[], storm: Storm) {
  return measure(store, honest, HOME, storm, 'sixty made-up names a second of one /48', async (isOver) => {
    const sent: Promise<unknown>[] = []
    for (let n = 0; !isOver(); n++) {
      const from = `2001:db8:7:${n.toString(16)}::1`
      sent.push(call(store, '/auth/login', from, { username: `nobody${n}`, password: PASSWORD }))
      await sleep(1_000 / 60)
    }
    await Promise.all(sent)
  })
}

async function measure(
  store: StoreProcess,
  honest: Person | undefined,
  from: string,
  { seconds, say }: Storm,
  what: string,
  storm: (isOver: () => boolean) => Promise<unknown>,
): Promise<Figure[]> {
  if (!honest) throw new Error('No buyer')
  const endsAt = performance.now() + seconds * 1_000
  const storming = storm(() => performance.now() > endsAt)
  const times: number[] = []
  let refused = 0
  await sleep(500)
  while (performance.now() < endsAt) {
    const began = performance.now()
    const { status } = await logInAs(store, honest, from)
    if (status === 200) times.push(performance.now() - began)
    else refused++
  }
  await storming
  say(`beside ${what}: ${times.length} honest logins, p50 ${ms(percentile(times, 0.5))}`)
  return [
    { what: `beside ${what}: p99 of an honest login`, value: percentile(times, 0.99), goal: HONEST_MS_MAX, unit: 'ms' },
    { what: `beside ${what}: honest logins refused`, value: refused, goal: 0, unit: '' },
  ]
}

/** Wrong passwords of the owner from forty networks; then the owner comes from home, in a new browser. */
async function besideGuesses(store: StoreProcess): Promise<Figure[]> {
  for (let n = 0; n < 40; n++)
    for (let tries = 0; tries < 10; tries++)
      await call(store, '/admin/login', `198.51.100.${n}`, { username: ADMIN.username, password: 'a wrong password' })
  const { status } = await call(store, '/admin/login', HOME, ADMIN)
  return [
    { what: '400 guesses from 40 networks: the owner is kept out', value: status === 200 ? 0 : 1, goal: 0, unit: '' },
  ]
}

/** Sign-ups with a wrong code; then twenty with a right one from the same address. */
async function besideWrongCodes(store: StoreProcess, wrong: number): Promise<Figure[]> {
  const signUp = (name: string, referralCode: string) =>
    call(store, '/auth/register', HOME, {
      username: name,
      email: `${name}@example.in`,
      password: PASSWORD,
      referralCode,
    })
  for (let n = 0; n < wrong; n++) await signUp(`wrong${n}`, 'NOSUCHCODE')
  let refused = 0
  for (let n = 0; n < 20; n++) if ((await signUp(`right${n}`, CODE)).status !== 201) refused++
  return [{ what: `${wrong} sign-ups with wrong codes: right ones refused of 20`, value: refused, goal: 0, unit: '' }]
}

async function createCode(db: Database): Promise<void> {
  await db.run(sql`
    insert into referral_codes (id, code, description, created_by, created_at)
    select ${newId()}, ${CODE}, 'Drill', id, now() from admins limit 1`)
}
