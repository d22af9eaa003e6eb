import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { bringSecretsBack } from './backup-keys.ts'
import { newId } from '../platform/ids.ts'
import { newSecret, openSealer } from '../platform/secrets/secret-keys.ts'

test('what the store could not start with is not put in its place', () =>
  withDatabase(async (db) => {
    const then = newSecret([])
    const now = newSecret([then])
    await openSealer(db, [then])
    const place = { dataDir: path.join(tmpdir(), newId()), secretsFrom: 'file' as const, passphrase: undefined }
    const bring = (secrets: Buffer[], brought: Buffer[]) =>
      bringSecretsBack(
        db,
        { ...place, secrets },
        brought.map((secret) => secret.toString('base64')),
        () => {},
      )

    await expect(bring([now], [])).rejects.toThrow('uses a secret key that is not here')
    await bring([now, then], [])
    await bring([now], [then])
  }))
