/** The tests of one engine that Playwright can't drive here, each with a browser of its own. */
import { writeFile } from 'node:fs/promises'
import { guardDialogs, panelDialogs, storeDialogs } from './engine-dialogs.ts'
import { buyerPath, filePath, ownerPath } from './engine-paths.ts'
import { LONG, test } from './people.ts'
import type { EngineTab, Tab } from './tab.ts'

const TEST_MS_MAX = 300_000

/**
 * @param ofDialogs LONG where the test command leaves dialogs and files out, as it does the panel's and those of
 * two-step verification, for their time
 */
export function testEngine(name: string, open: () => Promise<EngineTab>, ofDialogs: { tag?: string } = {}): void {
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
  engineTest(`in ${name}, the owner’s PDFs and Excel files are read`, ofDialogs, async ({ tab, shop }) => {
    await filePath(tab, shop)
  })
  engineTest(
    `in ${name}, every dialog of the store shows all that is in it`,
    ofDialogs,
    async ({ tab, shop, people }) => {
      await storeDialogs(tab, { shop, people })
    },
  )
  engineTest(`in ${name}, every dialog of the panel shows all that is in it`, LONG, async ({ tab, shop, people }) => {
    await panelDialogs(tab, { shop, people })
  })
  engineTest(
    `in ${name}, every dialog of two-step verification shows all that is in it`,
    LONG,
    async ({ tab, shop, people }) => {
      await guardDialogs(tab, { shop, people })
    },
  )
}

/** As Playwright does of its own browsers. */
async function keepPicture(tab: Tab, file: string): Promise<void> {
  await writeFile(file, await tab.picture())
}
