import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'

/** Begun first, the longest one at the front: a long one at the end would leave the other core idle. */
const LONGEST = [
  'test/leaks/leaks.test.ts',
  'server/backup/point-in-time.test.ts',
  'test/model/model.test.ts',
  'test/security/data.test.ts',
  'test/security/attacks.test.ts',
  'test/run-as-root.test.ts',
  'server/backup/backup-store.test.ts',
  'server/backup/restore.test.ts',
  'test/security/throttling.test.ts',
  'server/platform/engine/embedded-postgres-owners.test.ts',
  'server/backup/copies.test.ts',
  'server/keys/large-imports.test.ts',
  'test/long-lists.test.ts',
  'test/closing.test.ts',
  'server/platform/engine/embedded-postgres.test.ts',
  'server/operations/rotate-keys.test.ts',
]

/** Those that are not named come after them, the largest file first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return found < 0 ? LONGEST.length : found
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    include: ['{contract,server,web,test}/**/*.test.ts'],
    exclude: ['test/journeys/**', 'node_modules/**'],
    globalSetup: 'test/engine.ts',
    setupFiles: 'test/cheap-passwords.ts',
    // Finds what hangs: a loaded machine takes five times as long for the same work
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // On two cores: some tests wait for seconds, and the third works in that time
    maxWorkers: 3,
    // Reading the same modules again for each file takes longer than many a file; none of them keeps anything to itself
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A shared machine may stand still for seconds; what fails twice is broken
    retry: process.env.CI ? 1 : 0,
  },
})
