/** A store of a given size is backed up while it is open, lost, and restored from the file alone on an empty one. */
import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { seedStore, vacuumSeeded } from '../test/worlds/year.ts'
import { sql, type Database } from '../server/platform/database/database.ts'
import { newDirectory, type Drill, type DrillOptions, type Finding } from './drill.ts'
import { command, startStore } from './store-process.ts'

/** The bytes that a line of the payment list takes in all tables and indexes, as measured. A guide for the seed. */
const PAYMENTS_PER_GB = 650_000

export const drill: Drill = (options) => loseAndRestore(options)

/** @param place a copy elsewhere, and the passphrase that opens it. Without it, the file and the secret are kept */
export async function loseAndRestore(
  { quick, gigabytes, say, directories }: DrillOptions,
  place?: { address: string; passphrase: string },
): Promise<Finding> {
  const payments = Math.round(PAYMENTS_PER_GB * (quick ? 0.005 : gigabytes))
  const passphrase: Record<string, string> = place ? { BACKUP_PASSPHRASE: place.passphrase } : {}
  const store = await startStore({ directories })
  const db = store.database()
  const { id: adminId } = await db.one(sql(z.object({ id: z.string() }))`select id from admins limit 1`)
  const sizes = { users: Math.ceil(payments / 10), keys: Math.ceil(payments * 0.8), payments }
  await seedStore(db, { ...sizes, sealer: await store.sealer(), now: new Date(), adminId, say })
  await db.close()
  await vacuumSeeded({
    host: path.join(store.dataDir, 'postgres.run'),
    port: 5432,
    user: 'chaabi_owner',
    database: 'postgres',
  })
  const before = await inStore(store.database())

  say(`a store of ${inGb(before.bytes)}; it is backed up while it is open`)
  const copying = place ? { ...passphrase, BACKUP_COPY_TO: place.address } : {}
  const backup = await (await command('backup', [], store.dataDir, copying)).ended
  const name = readdirSync(path.join(store.dataDir, 'backups')).find((each) => each.endsWith('.backup')) ?? ''
  await store.stop()

  const elsewhere = newDirectory(directories)
  const file = path.join(elsewhere, name)
  const bytes = statSync(path.join(store.dataDir, 'backups', name)).size
  if (!place) {
    copyFileSync(path.join(store.dataDir, 'secret.key'), path.join(elsewhere, 'secret.key'))
    copyFileSync(path.join(store.dataDir, 'backups', name), file)
  }
  rmSync(store.dataDir, { recursive: true, force: true })

  say('the store is gone; its backup is restored into an empty place')
  const source = place ? ['--from', place.address, '--newest'] : [file]
  const restored = await (await command('restore', source, elsewhere, passphrase)).ended
  for (const { code, output } of [backup, restored]) if (code !== 0) throw new Error(output.slice(-1_000))
  const again = await startStore({ dataDir: elsewhere })
  const after = await inStore(again.database())
  const doctor = await (await command('doctor', [], elsewhere)).ended
  await again.stop()
  const same = JSON.stringify(after.sums) === JSON.stringify(before.sums)
  return {
    passed: same && doctor.code === 0,
    figures: [
      `a store of ${inGb(before.bytes)} (${payments} payments, ${sizes.keys} keys): backed up and proved in ` +
        `${inS(backup.tookMs)} into ${(bytes / 1e6).toFixed(0)} MB, restored (proved, then put in ` +
        `place) in ${inS(restored.tookMs)}, examined in ${inS(doctor.tookMs)}; sums ` +
        (same ? 'equal' : `DIFFERENT: ${JSON.stringify([before.sums, after.sums])}`),
      ...(doctor.code === 0 ? [] : [doctor.output.slice(-1_000)]),
    ],
    proved: 'what a backup holds is the whole store, and the file with the secret is enough to have it back.',
    cannotProve: 'that the file and the secret were kept somewhere else; what was sold after the backup is not in it.',
  }
}

const Sums = z.object({
  balances: z.number(),
  entries: z.number(),
  orders: z.number(),
  sold: z.number(),
  audits: z.number(),
})

async function inStore(db: Database): Promise<{ sums: z.output<typeof Sums>; bytes: number }> {
  try {
    return await db.transaction(
      async (tx) => ({
        sums: await tx.one(sql(Sums)`
          select (select sum(balance_paise) from wallets)::bigint as balances,
                 (select sum(abs(amount_paise)) from wallet_entries)::bigint as entries,
                 (select count(*) from orders) as orders,
                 (select count(*) from license_keys where order_id is not null) as sold,
                 (select count(*) from audit_entries where action not like 'session.%') as audits`),
        bytes: await tx.count(sql`select pg_database_size(current_database())`),
      }),
      { statementTimeoutMs: 600_000 },
    )
  } finally {
    await db.close()
  }
}

const inGb = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`
const inS = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
