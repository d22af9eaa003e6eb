/** The doctor as it is started on the server, on the database of a test. */
import { spawn } from 'node:child_process'
import { inject } from 'vitest'
import { sql, type Database } from '../server/platform/database/database.ts'
import { inDatabase } from './engine.ts'

export async function runDoctor(
  db: Database,
  dataDir: string,
  ...args: string[]
): Promise<{ code: number | null; said: string }> {
  const name = (await db.text(sql`select current_database()::text`)) ?? ''
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts', 'doctor', ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: urlOf(name), DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (part: Buffer) => (said += part.toString()))
  return { code: await new Promise((resolve) => child.once('close', resolve)), said }
}

function urlOf(database: string): string {
  const given = inDatabase(inject('engine').connection, database)
  if (given.connectionString !== undefined) return given.connectionString
  return `postgres://${given.user}@localhost:${given.port}/${database}?host=${encodeURIComponent(given.host ?? '')}`
}
