/**
 * `npm run rotate-keys` is killed again and again while buyers buy, then runs to its end. An older backup is
 * restored after it.
 */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepared, sql, type Database } from '../server/platform/database/database.ts'
import { createSealer } from '../server/platform/secrets/sealing.ts'
import { readSealed, SEALED_COLUMNS } from '../server/platform/secrets/sealed-columns.ts'
import { ownSecretKeys } from '../server/platform/secrets/secret-keys.ts'
import { answersInWords, compare, failuresOf, holds, inWords, startCrowd } from './crowd.ts'
import { newDirectory, type Drill } from './drill.ts'
import { seedShop } from './seed.ts'
import { command, startStore } from './store-process.ts'

/** Counted from its start: before it begins, while it makes the secret, encrypts, or waits for imports. */
const KILLED_AFTER_MS = [300, 700, 1_000, 1_400, 1_800, 2_500, 4_000, 8_000]

export const drill: Drill = async ({ quick, say, directories }) => {
  const store = await startStore({ directories })
  const db = store.database()
  const keys = quick ? 20_000 : 60_000
  const shop = await seedShop(db, await store.sealer(), { buyers: 8, keys, balancePaise: 100_000_000 })
  const before = readSecrets(store.dataDir)
  const backup = await (await command('backup', [], store.dataDir)).ended
  const crowd = startCrowd({ port: store.port, ...shop, again: true, pauseMs: 30 }, directories)

  let unreadable = 0
  /** Kills that left something under either secret. */
  let halfway = 0
  for (const afterMs of quick ? KILLED_AFTER_MS.slice(0, 4) : KILLED_AFTER_MS) {
    const rotation = await command('rotate-keys', [], store.dataDir)
    await sleep(afterMs)
    process.kill(rotation.pid, 'SIGKILL')
    await rotation.ended
    unreadable += await countUnreadable(db, store.dataDir)
    if (await isHalfway(db)) halfway++
  }
  // A store that starts in the middle has never seen anything but the file
  await store.kill()
  store.start()
  await store.untilHealthy()
  const again = store.database()
  say('now it is let through, which takes 75 s more for imports that may have begun before')
  const through = await (await command('rotate-keys', [], store.dataDir)).ended
  const after = readSecrets(store.dataDir)
  unreadable += await countUnreadable(again, store.dataDir)
  const report = await crowd.stop()
  const found = await compare(again, crowd.acknowledgedFile, shop)
  await Promise.allSettled([db.close(), again.close()])
  await store.stop()
  const changed = after.length === 1 && before.length === 1 && after[0] !== before[0]

  say('the backup of before is restored, with the retired secret and then without it')
  const name = readdirSync(path.join(store.dataDir, 'backups')).find((each) => each.endsWith('.backup')) ?? ''
  const file = path.join(store.dataDir, 'backups', name)
  const restored = await (await command('restore', [file, '--replace'], store.dataDir)).ended
  store.start()
  await store.untilHealthy()
  const then = store.database()
  const unreadableThen = await countUnreadable(then, store.dataDir)
  await then.close()
  await store.stop()
  const elsewhere = newDirectory(directories)
  copyFileSync(file, path.join(elsewhere, name))
  const refused = await (await command('restore', [path.join(elsewhere, name)], elsewhere)).ended
  const inSentence = /rotate-keys, put the old secret key into/.test(refused.output)
  return {
    passed:
      unreadable === 0 &&
      unreadableThen === 0 &&
      (quick || halfway > 0) &&
      changed &&
      holds(found) &&
      failuresOf(report) === 0 &&
      backup.code === 0 &&
      through.code === 0 &&
      restored.code === 0 &&
      refused.code !== 0 &&
      inSentence,
    figures: [
      `${quick ? 4 : KILLED_AFTER_MS.length} kills of a rotation of ${keys} keys (${halfway} with some under ` +
        `either secret), then one let through in ${(through.tookMs / 1_000).toFixed(0)} s: unreadable in any state ` +
        `${unreadable}, secret ${changed ? 'changed' : 'NOT CHANGED'}; ${inWords(found)}`,
      answersInWords(report),
      `a backup of before, restored after it: unreadable ${unreadableThen}; where the old secret is gone: ` +
        (inSentence ? 'refused, in words' : 'NOT REFUSED IN WORDS'),
      ...[backup, through, restored].flatMap((each) => (each.code === 0 ? [] : [each.output.slice(-1_000)])),
    ],
    proved:
      'whatever the moment of a kill, every key can be read with what is in secret.key, by a store that runs and ' +
      'by one that starts.',
    cannotProve: 'a power cut between the two files of secrets; each is on the disk before the next is written.',
  }
}

const readSecrets = (dataDir: string): string[] => readFileSync(path.join(dataDir, 'secret.key'), 'utf8').split(',')

/** Counts the encrypted values that the secrets of the file do not open. */
async function countUnreadable(db: Database, dataDir: string): Promise<number> {
  const sealer = createSealer(await ownSecretKeys(dataDir))
  let unreadable = 0
  for (const column of SEALED_COLUMNS) {
    const rows = await db.transaction((tx) => readSealed(tx, column, sql`true`), { statementTimeoutMs: 60_000 })
    for (const { row, sealed } of rows) {
      try {
        sealer.open(column.purpose, row, sealed)
      } catch {
        unreadable++
      }
    }
  }
  return unreadable
}

async function isHalfway(db: Database): Promise<boolean> {
  const secrets = await db.count(prepared('select count(distinct get_byte(sealed, 0)) from license_keys'))
  return secrets > 1
}
