/**
 * One PostgreSQL for a test run: an embedded one without fsync (nothing here outlives the run), or the
 * server that TEST_DATABASE_URL names. A migrated template is cloned for each test that wants a database.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase, type Database } from '../server/platform/database/database.ts'
import { startEmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrations.ts'

export interface Engine {
  connection: { host: string; port: number; user: string } | { connectionString: string }
  template: string
  role: string | undefined
}

declare module 'vitest' {
  export interface ProvidedContext {
    engine: Engine
  }
}

export async function startEngine(): Promise<Engine & { stop(): Promise<void> }> {
  const template = `chaabi_template_${process.pid}`
  const url = process.env.TEST_DATABASE_URL
  let connection: Engine['connection']
  let stopServer = async () => {}
  if (url) {
    connection = { connectionString: url }
  } else {
    const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-test-'))
    const server = await startEmbeddedPostgres({
      dataDir: path.join(directory, 'postgres'),
      log: () => {},
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
    })
    connection = { host: server.host, port: server.port, user: server.user }
    stopServer = async () => {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    }
  }
  await administer(connection, `create database ${template}`)
  const role = await migrate({ ...inDatabase(connection, template) }, path.resolve('server/migrations'), () => {})
  return {
    connection,
    template,
    role,
    async stop() {
      await administer(connection, `drop database if exists ${template} with (force)`).catch(() => {})
      await stopServer()
    },
  }
}

/** Runs one statement on the maintenance database. */
export async function administer(connection: Engine['connection'], statement: string): Promise<void> {
  const client = new pg.Client(inDatabase(connection, 'postgres'))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export function inDatabase(connection: Engine['connection'], database: string): pg.ClientConfig {
  if (!('connectionString' in connection)) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/** Opens connections to a database that is there, as the store's role. */
export function connect(engine: Engine, name: string, poolSize = 8): Database {
  const { host = '', port = 5432, user = '', database = name, connectionString } = inDatabase(engine.connection, name)
  // A busy machine must not fail a test that is about something else
  return openDatabase({
    connection: connectionString ?? { host, port, user, database },
    poolSize,
    connectTimeoutMs: 30_000,
    ...(engine.role === undefined ? {} : { role: engine.role }),
  })
}

const CLONE_TRIES = 50

/** A template that another test is cloning at this moment is busy; it is free again in a blink. */
export async function clone(engine: Engine, name: string): Promise<void> {
  // Copied as files in a third of the time, as long as nothing waits for a disk
  const strategy = 'connectionString' in engine.connection ? '' : 'strategy file_copy'
  for (let attempt = 1; ; attempt++) {
    try {
      return await administer(engine.connection, `create database ${name} template ${engine.template} ${strategy}`)
    } catch (error) {
      if (attempt === CLONE_TRIES || !/being accessed by other users/.test(String(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * Math.random() + 10))
    }
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...engine } = await startEngine()
  project.provide('engine', engine)
  return stop
}
