import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { sql } from '../platform/database/database.ts'
import { newestBackupAt } from './backup-store.ts'

test('the newest backup is seen, whichever node made it', () =>
  withDatabase(async (db) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'chaabi-backups-'))
    const [early, middle, late] = ['01', '02', '03'].map((day) => new Date(`2026-11-${day}T00:00:00Z`))
    const another = (madeAt: Date | undefined) =>
      db.run(sql`
        insert into backups (node, file, made_at, bytes) values ('another', ${String(madeAt)}, ${madeAt}, 1)`)
    try {
      expect(await newestBackupAt(db, dataDir)).toBeUndefined()
      await another(early)
      expect(await newestBackupAt(db, dataDir)).toEqual(early)
      const file = path.join(dataDir, 'backups/chaabi-20261102T000000Z.backup')
      mkdirSync(path.dirname(file))
      writeFileSync(file, '')
      utimesSync(file, middle!, middle!)
      expect(await newestBackupAt(db, dataDir)).toEqual(middle)
      await another(late)
      expect(await newestBackupAt(db, dataDir)).toEqual(late)
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  }))
