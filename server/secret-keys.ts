import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readSecretKeys } from './config.ts'

/** Made at first start. Without this file the licence keys in the database cannot be read: it belongs into every backup. */
export async function ownSecretKeys(dataDir: string): Promise<Buffer[]> {
  const file = path.join(dataDir, 'secret.key')
  await mkdir(dataDir, { recursive: true })
  // `wx`: of two processes that start at once, one makes it and the other reads it
  await writeFile(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  await chmod(file, 0o600)
  return readSecretKeys((await readFile(file, 'utf8')).trim())
}
