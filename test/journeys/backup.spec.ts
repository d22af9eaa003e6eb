/** An owner without a terminal downloads the store as a file that the restore command takes. */
import { readFile } from 'node:fs/promises'
import { DESK, expect, PHONE, said } from './admin-counter.ts'
import { confirmWith, logIn } from './admin-door.ts'
import { person, test } from './store.ts'

for (const viewport of [PHONE, DESK])
  test(`the guide leads to a backup, which asks for the password at ${viewport.width} px`, async ({
    browser,
    store,
  }) => {
    const { page, context } = await person(browser, store, { viewport })
    await page.goto('/admin-login')
    await logIn(page, store.admin.username, store.admin.password)
    await expect(page).toHaveURL(/\/admin(\/dashboard)?$/)
    await page.goto('/admin/guide')
    await page.getByRole('link', { name: /^Save a copy of your store/ }).click()
    const section = page.locator('#backup')
    const passphrase = section.getByLabel('Passphrase', { exact: true })
    const download = section.getByRole('button', { name: 'Download a backup' })
    await expect(passphrase).toBeInViewport()

    await test.step('a short passphrase is refused at its field', async () => {
      await passphrase.fill('short')
      await download.click()
      await expect(section.getByText('Passphrase must have at least 12 characters')).toBeVisible()
    })

    await test.step('half a download is no file, and the passphrase stays', async () => {
      await passphrase.fill('four words and a sign')
      await page.route('**/api/backup', (route) => route.abort('connectionreset'))
      await download.click()
      await expect(section.getByRole('alert')).toContainText('The store can’t be reached.')
      await expect(passphrase).toHaveValue('four words and a sign')
      await page.unroute('**/api/backup')
    })

    await test.step('after the proof the file is saved, and the step of the guide is done', async () => {
      const saving = page.waitForEvent('download')
      await download.click()
      await confirmWith(page, store.admin.password)
      const saved = await saving
      expect(saved.suggestedFilename()).toMatch(/^store-\d{4}-\d\d-\d\d\.backup$/)
      const bytes = await readFile(await saved.path())
      expect(bytes.subarray(0, 16).toString()).toBe('CHAABI-BACKUP-1P')
      expect(bytes.length).toBeGreaterThan(1_000)
      await expect(said(page, `${saved.suggestedFilename()} saved`)).toBeVisible()
      await expect(passphrase).toHaveValue('')
      await expect(page.getByRole('region', { name: 'Setup guide' })).toContainText('Done')
    })
    await context.close()
  })
