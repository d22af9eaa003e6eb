import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { HOUR_MS } from '../../contract/time.ts'
import { readConfig } from '../platform/config.ts'
import { runDueJobs } from '../platform/jobs.ts'
import type { Database } from '../platform/database/database.ts'
import { createOutbound } from '../platform/outbound.ts'
import { checkVersion, isNewer, versionJob } from './new-version.ts'

const NEWER = JSON.stringify({
  tag_name: 'v999.3.0',
  body: '### Added\n\n- A door that is `wide`.\u0007\n',
  assets: [],
})
const CANNOT = 'The store can’t find out whether a new version is out.'

test('a newer version is said once it is out, with what changed, and whoever asks asks once a day', () =>
  withFeed(async ({ db, day, says, asked }) => {
    expect(await day(NEWER)).toEqual([
      'Version 999.3.0 is out. To install it, run git pull && npm ci && npm start on the server. ' +
        'What changed: \nAdded\n\n- A door that is wide.',
    ])
    expect(await says({ installed: true })).toEqual([expect.stringContaining('run chaabi update on the server')])
    expect(asked()).toEqual(['GET chaabi'])
    for (let hour = 1; hour < 24; hour += 1) await day(NEWER, HOUR_MS)
    expect(asked()).toHaveLength(1)
    await day(NEWER, HOUR_MS)
    expect(asked()).toHaveLength(2)
    expect(await checkVersion(db, { updatesFrom: undefined, installed: false })).toEqual([])
    expect(await says({ updatesFrom: 'https://elsewhere.example' })).toEqual([])
  }))

test('an answer that names no version is one warning, and what was known stays said', () =>
  withFeed(async ({ day }) => {
    for (const body of [
      '',
      '{"tag_name":"v999.3.0"',
      '[]',
      '{"tag_name":"nightly"}',
      '{"tag_name":"v999.3.0; rm -rf /"}',
      `{"tag_name":"v999.3.0","body":"${'x'.repeat(600_000)}"}`,
    ])
      expect(await day(body), body.slice(0, 40)).toEqual([
        `${CANNOT} Check UPDATES_FROM. It says: The answer names no version.`,
      ])
    expect(await day((response) => void response.writeHead(404).end(NEWER))).toEqual([
      expect.stringContaining('The answer was HTTP 404.'),
    ])
    expect(await day((response) => void response.destroy())).toEqual([expect.stringContaining(CANNOT)])
    expect(await day(NEWER)).toEqual([expect.stringContaining('Version 999.3.0 is out.')])
    expect(await day('')).toEqual([expect.stringContaining('Version 999.3.0 is out.')])
    expect(await day('{"tag_name":"0.0.1","body":null}')).toEqual([])
  }))

test('nobody is asked until an address is set, and it must be a public one', () =>
  withDatabase(async (db) => {
    const refuseAll = { isTestOrigin: () => false, call: () => Promise.reject(new Error('asked')) }
    const clock = { now: () => new Date() }
    const failed: unknown[] = []
    await runDueJobs(db, [versionJob(db, refuseAll, undefined)], clock, (error) => void failed.push(error))
    expect(failed).toEqual([])
    expect(readConfig({}).updatesFrom).toBeUndefined()
    expect(() => readConfig({ UPDATES_FROM: 'http://shop.example/latest' })).toThrow('UPDATES_FROM must be an https')
    const inside = 'https://127.0.0.1/latest'
    await runDueJobs(db, [versionJob(db, createOutbound(), inside)], { now: () => new Date(Date.now() + HOUR_MS * 2) })
    const said = (await checkVersion(db, { updatesFrom: inside, installed: false })).map(({ text }) => text)
    expect(said).toEqual([expect.stringContaining('https://127.0.0.1 is not a public https address')])
  }))

test('versions are compared by their numbers', () => {
  for (const [one, other] of [
    ['0.10.0', '0.9.9'],
    ['1.0.0', '0.99.99'],
    ['0.1.1', '0.1.0'],
  ] as const) {
    expect(isNewer(one, other)).toBe(true)
    expect(isNewer(other, one)).toBe(false)
  }
  expect(isNewer('0.1.0', '0.1.0')).toBe(false)
})

type Answer = string | ((response: ServerResponse) => void)

/** A place that names the newest release. `day` lets a day pass with that answer, and returns what the panel says. */
async function withFeed(
  body: (feed: {
    db: Database
    day: (answer: Answer, ms?: number) => Promise<string[]>
    says: (config?: { updatesFrom?: string; installed?: boolean }) => Promise<string[]>
    asked: () => string[]
  }) => Promise<void>,
): Promise<void> {
  const calls: string[] = []
  let answer: Answer = ''
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.headers['user-agent']}`)
    if (typeof answer === 'string') response.end(answer)
    else answer(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const updatesFrom = `${origin}/latest`
  try {
    await withDatabase(async (db) => {
      let now = Date.now()
      const says = async (config = {}) =>
        (await checkVersion(db, { updatesFrom, installed: false, ...config })).map(({ text }) => text)
      const day = async (next: Answer, ms = 24 * HOUR_MS) => {
        answer = next
        now += ms
        const job = versionJob(db, createOutbound([origin]), updatesFrom)
        await runDueJobs(db, [job], { now: () => new Date(now) }, (error) => {
          throw error
        })
        return says()
      }
      await body({ db, day, says, asked: () => calls })
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
