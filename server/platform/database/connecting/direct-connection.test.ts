/** A pooler before the database is refused. With a real PgBouncer, where one is installed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startPrimary, urlOf } from '../../../../test/worlds/engine-pair.ts'
import { hasPooler, startPooler } from '../../../../test/worlds/pooler.ts'
import { openDirectly } from './direct-connection.ts'

test.runIf(hasPooler)(
  'the store refuses PgBouncer in both of its modes, also when it drops what it does not know',
  async () => {
    // Its account must get in
    const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-pooler-'))
    const engine = await startPrimary(path.join(directory, 'a/postgres'))
    try {
      await openDirectly(urlOf(engine))
      for (const mode of ['transaction', 'session'])
        for (const ignored of ['', 'options']) {
          const pooler = await startPooler(`${directory}-${mode}-${ignored}`, engine, { mode, ignored })
          await expect(openDirectly(pooler.url), `${mode} ${ignored}`).rejects.toThrow(
            /leads through a pooler .* Name the server itself: a node needs 20 connections\./,
          )
          pooler.end()
          await rm(`${directory}-${mode}-${ignored}`, { recursive: true })
        }
    } finally {
      await engine.stop()
      await rm(directory, { recursive: true })
    }
  },
)
