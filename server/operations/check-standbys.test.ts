import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startPrimary, startStandby, urlOf } from '../../test/worlds/engine-pair.ts'
import { openDatabase } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrations.ts'
import { checkStandbys, readStandbys } from './check-standbys.ts'

const MISSING = 'If the server fails now, recent purchases are lost. No synchronous standby.'

test('a standby that purchases do not wait for is a warning, and a fault where one is required', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-standbys-'))
  const primary = await startPrimary(path.join(directory, 'a/postgres'))
  const role = await migrate({ connectionString: urlOf(primary) }, 'server/migrations', () => {})
  const db = openDatabase({ connection: urlOf(primary), role: role!, poolSize: 1 })
  try {
    expect(await checkStandbys(db, false)).toEqual([])
    expect(await checkStandbys(db, true)).toMatchObject([{ level: 'broken', text: MISSING }])

    const standby = await startStandby(primary, path.join(directory, 'b/postgres'), { synchronous: false })
    expect(await checkStandbys(db, false)).toMatchObject([{ level: 'warning', text: MISSING }])
    expect(await readStandbys(db)).toMatchObject({ count: 1, synchronous: 0 })
    await standby.stop()

    const second = await startStandby(primary, path.join(directory, 'c/postgres'), { synchronous: true })
    expect(await checkStandbys(db, true)).toEqual([
      { level: 'ok', text: expect.stringMatching(/^Standbys: 1, synchronous: 1\. The slowest is 0\.0 MB behind\.$/) },
    ])
    await second.stop()
    await expect.poll(() => checkStandbys(db, true)).toMatchObject([{ level: 'broken', text: MISSING }])
  } finally {
    await db.close()
    await primary.stop()
    await rm(directory, { recursive: true, force: true })
  }
})
