/** The tests of one engine that Playwright can't drive here, each with a browser of its own. */
import { writeFile } from 'node:fs/promises'
import { buyerPath, ownerPath } from './engine-paths.ts'
import { test } from './people.ts'
import type { EngineTab, Tab } from './tab.ts'

const TEST_MS_MAX = 180_000

export function testEngine(name: string, open: () => Promise<EngineTab>): void {
  const engineTest = test.extend<{ tab: Tab }>({
    tab: async ({ browserName: _ }, use, info) => {
      const { tab, stop } = await open()
      try {
        await use(tab)
        if (info.status !== info.expectedStatus) await keepPicture(tab, info.outputPath('failed.png'))
      } finally {
        await stop()
      }
    },
  })
  engineTest.setTimeout(TEST_MS_MAX)

  engineTest(`in ${name}, a buyer signs up, adds money, buys a key, and copies it`, async ({ tab, shop }) => {
    await buyerPath(tab, shop)
  })
  engineTest(
    `in ${name}, the owner approves, rejects, adds keys, and edits a product, a user and settings`,
    async ({ tab, shop, people }) => {
      await ownerPath(tab, { shop, people })
    },
  )
}

/** As Playwright does of its own browsers. */
async function keepPicture(tab: Tab, file: string): Promise<void> {
  await writeFile(file, await tab.picture())
}
