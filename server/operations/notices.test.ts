import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { readConfig } from '../platform/config.ts'
import { noticesOf } from './notices.ts'

const NO_BACKUP = 'Your store has no backup yet. Make one: npm run backup'

test('a version that was installed since the start waits for a restart, and the panel says so', () =>
  withDatabase(async (db) => {
    const place = mkdtempSync(path.join(tmpdir(), 'chaabi-versions-'))
    try {
      for (const version of ['1', '2']) {
        mkdirSync(path.join(place, version, 'dist/server'), { recursive: true })
        writeFileSync(path.join(place, version, 'dist/stamp.json'), version)
      }
      const current = path.join(place, 'current')
      symlinkSync('1', current)
      const notices = noticesOf(db, readConfig({}), [path.join(current, 'dist/server/main.js')])
      expect(await notices()).toMatchObject({ broken: [], warnings: [NO_BACKUP] })

      rmSync(current)
      symlinkSync('2', current)
      expect((await notices()).warnings).toEqual([
        'A new version is installed. Restart the store to use it.',
        NO_BACKUP,
      ])

      rmSync(current)
      expect((await notices()).warnings).toEqual([NO_BACKUP])
    } finally {
      rmSync(place, { recursive: true })
    }
  }))
