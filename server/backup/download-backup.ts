/**
 * A backup as a download, for an owner without a terminal. It is sealed with a passphrase of theirs and contains the
 * secret keys, so that the file and the passphrase are enough to restore.
 */
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { sql } from '../platform/database/database.ts'
import { seal } from '../platform/secrets/sealed-file.ts'
import type { Services } from '../platform/services.ts'
import { atOneMoment, linesFrom } from './backup.ts'
import { DOWNLOADED, noteCopy } from './backup-rows.ts'
import { nameAt, secretsFor } from './backup-store.ts'

/**
 * Yields the bytes of the file while the tables are read. The audit log gets its entry before the first byte leaves.
 * @throws Refusal STEP_UP_REQUIRED
 */
export async function downloadBackup(
  { db, clock, sealer }: Pick<Services, 'db' | 'clock' | 'sealer'>,
  passphrase: string,
  by: ProvingBy,
): Promise<AsyncGenerator<Buffer>> {
  by.requireProof()
  await db.transaction((tx) => audit(tx, by, { action: 'backup.download', subject: 'Backup' }))
  const key = { passphrase }
  const held = sealer.secrets()
  const output = new PassThrough()
  // Runs until the reader has taken all of it, or leaves
  atOneMoment(db, async (tx) => {
    // A phone may take nothing for a while. The server cuts off one that never does
    await tx.run(sql`set local idle_in_transaction_session_timeout = 0`)
    const lines = linesFrom(tx, { madeAt: by.now.toISOString(), ...secretsFor(key, held) })
    await pipeline(seal('BACKUP', key, lines), output, { end: false })
  }).then(
    () => output.end(),
    (error: Error) => output.destroy(error),
  )
  async function* noted(): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const piece of output as AsyncIterable<Buffer>) {
      bytes += piece.length
      yield piece
    }
    // The file may have rows of the new secret key, and contain only the old one
    if (!sealer.secrets()[0]?.equals(held[0] ?? Buffer.of()))
      throw new Error('The secret keys were rotated during this download')
    const backup = { file: nameAt(by.now), madeAt: by.now, bytes }
    await noteCopy(db, backup, DOWNLOADED, clock.now())
  }
  return noted()
}
