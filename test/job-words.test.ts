import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jobText } from '../web/reports/admin/job-words.ts'

/** The names that the server gives to its jobs, as its sources have them. */
const names = readdirSync('server', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test)\.ts$/.test(file))
  .map((file) => readFileSync(`server/${file}`, 'utf8'))
  .flatMap((source) => [...source.matchAll(/name: '([a-z-]+)',\s*nextAfter|JOB = '([a-z-]+)'/g)])
  .map(([, name, check]) => name ?? check ?? '')

test('every job has words for the panel, so that no name from the code is on a screen', () => {
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => jobText(name) === name)).toEqual([])
})
