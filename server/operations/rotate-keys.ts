/**
 * Does `npm run rotate-keys`: encrypts everything again under a new secret key, while the store runs. It can be stopped
 * at any moment, even by force, and resumes there. The old secret is retired only when nothing is encrypted with it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../audit/audit.ts'
import { literal, prepared, sql, type Database } from '../platform/database/database.ts'
import { readSealed, SEALED_COLUMNS, type SealedColumn } from '../platform/secrets/sealed-columns.ts'
import { createSealer, secretId, type Sealer } from '../platform/secrets/sealing.ts'
import {
  newSecret,
  ownSecretKeys,
  refuseOtherSecrets,
  replaceSecretFile,
  retiredSecretFile,
  retiredSecretKeys,
  secretFile,
  SECRETS_FOLLOWED_MS,
} from '../platform/secrets/secret-keys.ts'

interface RotationPlace {
  dataDir: string
  /** SECRET_KEY, newest first; undefined if a file of the data directory holds the secrets. */
  secretKeys: readonly Buffer[] | undefined
  /** How long rows encrypted before the change may take to commit, in ms. */
  settleMs?: number
  say(line: string): void
}

/** Long, because an import encrypts its keys first and may then take a minute (server/keys/import-keys.ts). */
const SETTLE_MS = 75_000
const ROWS_AT_ONCE = 500
const LOCK = 7_007

/** @throws Error when the secrets are not the database's own, or SECRET_KEY does not begin with a new one */
export async function rotateKeys(db: Database, place: RotationPlace, askTime: () => Promise<Date>): Promise<void> {
  const { say, settleMs = SETTLE_MS } = place
  const secrets = await beginRotation(db, place)
  const [newest] = secrets
  if (!newest) throw new Error('There is no secret')
  const sealer = createSealer(secrets)
  const beganMs = performance.now()
  let rows = 0
  for (;;) {
    const sealedAnew = await sealAllAnew(db, sealer, secretId(newest), say)
    rows += sealedAnew
    if (sealedAnew > 0) continue
    const leftMs = settleMs - (performance.now() - beganMs)
    if (leftMs <= 0) break
    say(`Waiting ${Math.ceil(leftMs / 1000)} s for admins’ running uploads of keys to finish`)
    await sleep(leftMs)
  }
  const now = await askTime()
  await db.transaction((tx) =>
    audit(
      tx,
      { admin: null, now, address: '', userAgent: '' },
      {
        action: 'secrets.rotate',
        subject: 'Secret key',
        after: { rows },
      },
    ),
  )
  say(`Re-encrypted ${rows} rows. Nothing uses the old secret key now.`)
  await endRotation(db, place, newest)
}

/** @returns the secrets, the newest first */
async function beginRotation(db: Database, { dataDir, secretKeys, say }: RotationPlace): Promise<readonly Buffer[]> {
  if (secretKeys !== undefined) {
    await refuseOtherSecrets(db, secretKeys)
    if (secretKeys.length > 1) return secretKeys
    throw new Error(
      'Add a new secret key in front: SECRET_KEY=new,old (create one: openssl rand -base64 32). ' +
        'Restart every node with it, then run this again.',
    )
  }
  return alone(db, async () => {
    const secrets = await ownSecretKeys(dataDir)
    await refuseOtherSecrets(db, secrets)
    if (secrets.length === 0) throw new Error('No secret key yet. Start the store once to create it.')
    if (secrets.length > 1) {
      say('Resuming an unfinished rotation')
      return secrets
    }
    // An earlier backup brings a retired secret back, so the new one must not have its name either
    const next = [newSecret([...secrets, ...(await retiredSecretKeys(dataDir))]), ...secrets]
    await replaceSecretFile(secretFile(dataDir), next)
    // After this wait no running store encrypts with the old one
    await sleep(2 * SECRETS_FOLLOWED_MS)
    return next
  })
}

async function endRotation(db: Database, { dataDir, secretKeys, say }: RotationPlace, newest: Buffer): Promise<void> {
  if (secretKeys !== undefined) {
    say('Remove the older secret keys from SECRET_KEY. Keep them somewhere safe: earlier backups need them.')
    return
  }
  const retiredFile = retiredSecretFile(dataDir)
  await alone(db, async () => {
    const [first, ...older] = await ownSecretKeys(dataDir)
    if (!first?.equals(newest) || older.length === 0) return
    const retired = await retiredSecretKeys(dataDir)
    const others = retired.filter((each) => !older.some((secret) => secret.equals(each)))
    // Saves the old secrets before it drops them. After a kill in between, the next run does this again
    await replaceSecretFile(retiredFile, [...older, ...others])
    await replaceSecretFile(secretFile(dataDir), [first])
  })
  say(
    `The old secret key is no longer used. It is saved in ${retiredFile} because earlier backups need it. ` +
      'Delete it only when those backups are gone.',
  )
}

/** Runs one at a time, because two rotations that each make a secret would lose one of them. */
function alone<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${literal(LOCK)})`)
    return work()
  })
}

/** @returns the number of rows that another secret had encrypted */
async function sealAllAnew(db: Database, sealer: Sealer, id: number, say: (line: string) => void): Promise<number> {
  let rows = 0
  for (const target of SEALED_COLUMNS) rows += await sealColumnAnew(db, sealer, id, target, say)
  return rows
}

async function sealColumnAnew(
  db: Database,
  sealer: Sealer,
  id: number,
  target: SealedColumn,
  say: (line: string) => void,
): Promise<number> {
  const { table, key, type, column, purpose } = target
  const [from, name, cast, sealed] = [prepared(table), prepared(key), prepared(type), prepared(column)]
  let rows = 0
  let after = sql`true`
  for (;;) {
    const others = sql`get_byte(${sealed}, 0) <> ${id} and ${after} order by ${name} limit ${literal(ROWS_AT_ONCE)}`
    const found = await readSealed(db, target, others)
    const last = found.at(-1)
    if (!last) return rows
    const anew = found.map((row) => {
      try {
        return sealer.seal(purpose, row.row, sealer.open(purpose, row.row, row.sealed))
      } catch (error) {
        throw new Error(
          `${table}.${column} of ${row.key} can’t be opened. It was altered, or belongs to another row.`,
          {
            cause: error,
          },
        )
      }
    })
    // Updates only unchanged values, because an admin may have changed a key since. Purchases lock their rows briefly,
    // and a purchase that finds too few free keys waits for this statement
    await db.run(sql`
      update ${from} target set ${sealed} = anew.sealed
        from unnest(${found.map((row) => row.key)}::${cast}[], ${found.map((row) => row.sealed)}::bytea[],
                    ${anew}::bytea[]) as anew (key, before, sealed)
       where target.${name} = anew.key and target.${sealed} = anew.before`)
    rows += found.length
    say(`${table}.${column}: ${rows}`)
    after = sql`${name} > ${last.key}::${cast}`
  }
}
