/** The store is started through a pooler, in both of its modes. Skipped where PgBouncer is not installed. */
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPrimary, urlOf } from '../test/worlds/engine-pair.ts'
import { hasPooler, startPooler } from '../test/worlds/pooler.ts'
import { newDirectory, ms, type Drill } from './drill.ts'
import { endLater, runStore } from './store-process.ts'

const REFUSED_MS_MAX = 5_000
const WORDS = /leads through a pooler .* Name the server itself: a node needs 20 connections\./

export const drill: Drill = async ({ directories }) => {
  const about = {
    proved: 'a pooler is refused in words before the store works on it.',
    cannotProve: 'poolers other than PgBouncer.',
  }
  if (!hasPooler) return { passed: true, skipped: true, figures: ['PgBouncer is not installed'], ...about }
  const directory = newDirectory(directories)
  const engine = await startPrimary(path.join(directory, 'a/postgres'))
  endLater(() => engine.stop())
  const figures: string[] = []
  let passed = true
  for (const mode of ['transaction', 'session'])
    for (const ignored of ['', 'options']) {
      const place = path.join(tmpdir(), `chaabi-pooler-${process.pid}`)
      directories.push(place)
      const { url, end } = await startPooler(place, engine, { mode, ignored })
      endLater(async () => end())
      const { code, tookMs, output } = await runStore('start', url, path.join(directory, 'store'))
      passed &&= code === 1 && WORDS.test(output) && tookMs <= REFUSED_MS_MAX
      figures.push(
        `${mode} mode, ignore_startup_parameters=${ignored || '(none)'}: exit code ${code} after ${ms(tookMs)}: ` +
          output.trim(),
      )
    }
  const direct = await runStore('doctor', urlOf(engine), path.join(directory, 'store'))
  await engine.stop()
  figures.push(`without it: exit code of the doctor ${direct.code}`)
  return { passed: passed && direct.code === 0, figures, ...about }
}
