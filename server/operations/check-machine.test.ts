import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { manualClock } from '../platform/clock.ts'
import { createMetrics } from '../platform/watching/metrics.ts'
import { checkDisk, checkSettingsFile } from './check-machine.ts'
import { measureUpkeep } from './upkeep-metrics.ts'

test.each([
  { bytes: 50e9, share: 0.5, level: 'ok' },
  { bytes: 1e9, share: 0.1, level: 'ok' },
  { bytes: 0.99e9, share: 0.5, level: 'warning' },
  { bytes: 50e9, share: 0.09, level: 'warning' },
  { bytes: 0.19e9, share: 0.5, level: 'broken' },
  { bytes: 50e9, share: 0.04, level: 'broken' },
])('a disk with $bytes bytes free, $share of it, is $level', async ({ level, ...room }) => {
  expect(await checkDisk('/data', Promise.resolve(room))).toMatchObject([{ level }])
})

test('settings that others can read are broken, and those of the store’s group are fine', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chaabi-settings-'))
  const file = path.join(folder, 'chaabi.env')
  try {
    writeFileSync(file, 'SECRET_KEY=x')
    chmodSync(file, 0o644)
    expect(await checkSettingsFile(file)).toMatchObject([{ level: 'broken' }])
    chmodSync(file, 0o640)
    expect(await checkSettingsFile(file)).toEqual([])
    expect(await checkSettingsFile(undefined)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the room on the disk is a figure that monitoring can read', () =>
  withDatabase(async (db) => {
    const metrics = createMetrics()
    measureUpkeep(metrics, db, path.join(tmpdir(), 'not-there-yet'), manualClock(TEST_NOW))
    expect(await metrics.write()).toMatch(/^chaabi_disk_free_bytes [1-9]\d+$/m)
  }))
