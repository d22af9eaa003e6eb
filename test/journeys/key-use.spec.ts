/** What comes with a key: the shopkeeper writes it once, and each buyer reads it beside the key. */
import { readFile } from 'node:fs/promises'
import { expect, freshName, rowOf, said, test } from './admin-counter.ts'

test('a buyer learns beside the new key how to activate it, and where to download', async ({ owner, people, shop }) => {
  const name = `Atlas ${freshName()}`
  const { _id } = await shop.owner.catalogue.create({ name, prices: [{ duration: '10 Days', price: 20 }] })
  await shop.owner.keys.add({ productId: _id, duration: '10 Days', keys: [`${name} A`, `${name} B`] })
  const panel = await owner()

  await test.step('the shopkeeper writes it into the product', async () => {
    await panel.goto('/admin/product-manager')
    await rowOf(panel, name)
      .getByRole('button', { name: `Edit ${name}` })
      .click()
    const dialog = panel.getByRole('dialog', { name: `Edit ${name}` })
    await dialog.getByLabel('How to activate').fill('Open Atlas.\nSee https://atlas.example/help.')
    await dialog.getByLabel('Download link').fill('atlas.example')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByText('Enter a link that starts with https://')).toBeVisible()
    await dialog.getByLabel('Download link').fill('https://atlas.example/get')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(said(panel, `${name} saved`)).toBeVisible()
  })

  const { page } = await people.buyer({ balance: 500 })
  const link = page.getByRole('link', { name: 'Download from atlas.example' })
  await test.step('nobody reads it before paying', async () => {
    await page.goto(`/buy?product=${encodeURIComponent(name)}`)
    await expect(page.getByRole('combobox', { name: 'Product' })).toHaveValue(name)
    expect(await page.content()).not.toContain('atlas.example')
  })
  await test.step('it stands with the new key', async () => {
    await page.getByRole('radio', { name: /10 Days/ }).check()
    await page.getByRole('button', { name: 'Buy with Wallet' }).click()
    await expect(page.getByRole('heading', { name: 'Your key is ready' })).toBeVisible()
    await expect(link).toBeVisible()
    await expect(page.getByText('Open Atlas.')).toBeVisible()
  })
  await test.step('and in My Key, open for a new key, with links that open elsewhere', async () => {
    await page.goto('/my-key')
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
    await expect(page.getByText('Open Atlas.')).toBeVisible()
    await page.getByText('How to activate').click()
    await expect(page.getByText('Open Atlas.')).toBeHidden()
    await page.getByText('How to activate').click()
    await expect(page.getByRole('link', { name: 'https://atlas.example/help', exact: true })).toHaveAttribute(
      'target',
      '_blank',
    )
  })
  await test.step('the TXT has it, too', async () => {
    const download = page.waitForEvent('download')
    await page.getByText('Copy or download all').click()
    await page.getByRole('button', { name: 'Download TXT' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    expect(text).toContain('https://atlas.example/get\r\nOpen Atlas.\r\nSee https://atlas.example/help.')
  })
  await shop.owner.catalogue.remove({ id: _id })
})
