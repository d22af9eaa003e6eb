import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { sql } from '../platform/database/database.ts'
import { noteCopy, readNewest } from './backup-rows.ts'
import { newestBackupAt } from './backup-store.ts'

test('the newest backup is seen, whichever node made it', () =>
  withDatabase(async (db) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'chaabi-backups-'))
    const [early, middle, late] = ['01', '02', '03'].map((day) => new Date(`2026-11-${day}T00:00:00Z`))
    const now = new Date('2026-11-04T00:00:00Z')
    const another = (madeAt: Date | undefined) =>
      db.run(sql`
        insert into backups (node, file, made_at, bytes) values ('another', ${String(madeAt)}, ${madeAt}, 1)`)
    try {
      expect(await newestBackupAt(db, dataDir, now)).toBeUndefined()
      await another(early)
      expect(await newestBackupAt(db, dataDir, now)).toEqual(early)
      const file = path.join(dataDir, 'backups/chaabi-20261102T000000Z.backup')
      mkdirSync(path.dirname(file))
      writeFileSync(file, '')
      // As a copy has it that was fetched from elsewhere
      utimesSync(file, late!, late!)
      expect(await newestBackupAt(db, dataDir, now)).toEqual(middle)
      await another(late)
      expect(await newestBackupAt(db, dataDir, now)).toEqual(late)
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  }))

test('a copy in the place of before is none in the present one', () =>
  withDatabase(async (db) => {
    const madeAt = new Date('2026-11-02T00:00:00Z')
    await noteCopy(db, { file: 'chaabi-20261102T000000Z.backup', madeAt, bytes: 1 }, 'rsync://before/shop', madeAt)

    expect(await readNewest(db, madeAt, 'rsync://before/shop')).toEqual({ madeAt, copiedAt: madeAt })
    expect(await readNewest(db, madeAt, 'rsync://present/shop')).toEqual({ madeAt, copiedAt: null })
  }))
