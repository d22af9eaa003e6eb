/**
 * A program that holds a database until it is stopped, for tests that kill it.
 *
 * It takes the cluster's directory and, as JSON, PostgreSQL settings. It writes `ready <host> <pid> <adopted>` once
 * the database answers, and at SIGTERM or SIGINT drains as the store does: its last query must still work.
 */
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../server/platform/engine/embedded-postgres.ts'

const [dataDir, settings] = process.argv.slice(2)
const database = await startEmbeddedPostgres({
  dataDir: dataDir!,
  settings: JSON.parse(settings ?? '{}') as Record<string, string>,
  log: (line) => console.log(`log ${line}`),
})
const alive = setInterval(() => {}, 1_000)

async function drain(): Promise<void> {
  clearInterval(alive)
  const client = new Client({ host: database.host, port: database.port, user: database.user, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  await client.query('select pg_sleep(0.3)')
  await client.end()
  console.log('drained')
  await database.stop()
  console.log('stopped')
}

process.once('SIGTERM', () => void drain())
process.once('SIGINT', () => void drain())
console.log(`ready ${database.host} ${database.pid} ${database.adopted}`)
