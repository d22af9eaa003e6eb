/** Adding 50,000 keys as an admin pastes them, beside COPY of the same rows into the same table. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { prepared } from '../server/platform/database/database.ts'
import { newId } from '../server/platform/ids.ts'
import { callStore } from '../scripts/store-process.ts'
import type { Bench } from './report.ts'
import { BENCH_SEALER, startBenchStore, type BenchStore } from './running-store.ts'
import { benchId, DURATIONS, seedCatalogue } from './seed.ts'

const KEYS = 50_000

export const bench: Bench = {
  title: `Adding ${KEYS.toLocaleString('en-IN')} keys`,
  seconds: 0,
  async measure({ runs }, report) {
    const store = await startBenchStore((db) => seedCatalogue(db, { from: 0, count: 1, stock: 0 }))
    const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-copy-'))
    // The engine reads the file itself, as an account of its own
    await chmod(directory, 0o755)
    try {
      const cookie = await store.logInAdmin()
      const added: number[] = []
      const copied: number[] = []
      const tookMs: number[] = []
      for (let run = 0; run < runs; run++) {
        copied.push((KEYS * 1_000) / (await copy(store, path.join(directory, `${run}.copy`), textsOf(`C${run}`))))
        const ms = await paste(store, cookie, textsOf(`P${run}`))
        tookMs.push(ms)
        added.push((KEYS * 1_000) / ms)
      }
      report.add({ what: 'time of one import', unit: 'ms', values: tookMs, goal: { atMost: 3_000 } })
      report.add({
        what: 'keys through the admin’s call',
        unit: '/s',
        values: added,
        yardstick: { what: 'COPY of the same rows', values: copied },
        goal: { atLeast: 0.3 },
      })
    } finally {
      await store.stop()
      await rm(directory, { recursive: true, force: true })
    }
  },
}

const textsOf = (kind: string) =>
  Array.from({ length: KEYS }, (_, n) => `${kind}-${n.toString(36).padStart(6, '0')}-ABCD-EFGH-IJKL-MNOP`)

/** @returns milliseconds */
async function paste(store: BenchStore, cookie: string, keys: string[]): Promise<number> {
  const body = { productId: benchId(2, 0), duration: DURATIONS[0], keys }
  const started = performance.now()
  const { added } = await callStore(store, { method: 'POST', path: '/keys/bulk', cookie, body })
  const ms = performance.now() - started
  if (added !== KEYS) throw new Error(`The import added ${added} keys`)
  return ms
}

/** Sends rows that are encrypted already, so that only the engine is measured. @returns milliseconds */
async function copy(store: BenchStore, file: string, texts: string[]): Promise<number> {
  const at = new Date().toISOString()
  const rows = texts.map((text) => {
    const id = newId()
    const [sealed, fingerprint] = [BENCH_SEALER.seal('key', id, text), BENCH_SEALER.fingerprint(text)]
    return [id, benchId(2, 0), `\\\\x${sealed.toString('hex')}`, `\\\\x${fingerprint.toString('hex')}`, at].join('\t')
  })
  await writeFile(file, `${rows.join('\n')}\n`, { mode: 0o644 })
  const started = performance.now()
  await store.db.transaction(
    (tx) => tx.run(prepared(`copy license_keys (id, price_id, sealed, fingerprint, created_at) from '${file}'`)),
    { statementTimeoutMs: 600_000 },
  )
  return performance.now() - started
}
