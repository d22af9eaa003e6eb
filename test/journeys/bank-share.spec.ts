/** A statement that the bank's app shares with the installed panel: it waits for a login, and is taken once. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, PHONE, test } from './people.ts'

const STATEMENT = readFileSync(path.resolve('test/bank/statements/axis.csv'), 'utf8')

/** Shares as Android does: sends the form of the manifest to the panel's worker. */
async function share(page: Page, shared: { text?: string; files?: { name: string; text: string; size?: number }[] }) {
  await page.evaluate(async ({ text, files = [] }) => {
    const manifest = await (await fetch('/admin.webmanifest')).json()
    const { action, method, enctype, params } = manifest.share_target
    const form = Object.assign(document.createElement('form'), { action, method, enctype })
    if (text !== undefined)
      form.append(Object.assign(document.createElement('textarea'), { name: params.text, value: text }))
    const chosen = new DataTransfer()
    for (const file of files) chosen.items.add(new File([file.text.padEnd(file.size ?? 0)], file.name))
    const picker = Object.assign(document.createElement('input'), { name: params.files[0].name, type: 'file' })
    Object.assign(picker, { multiple: true, files: chosen.files })
    if (files.length > 0) form.append(picker)
    document.body.append(form)
    form.submit()
  }, shared)
}

/** The store's page has the worker that takes what is shared. */
async function install(page: Page): Promise<void> {
  await page.goto('/')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
  })
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
}

const logIn = async (page: Page, admin: { username: string; password: string }) => {
  await page.getByLabel('Username').fill(admin.username)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Login' }).click()
}

const kept = (page: Page) => page.evaluate(() => caches.has('shared-statement'))
const uploadOf = (page: Page) => page.getByRole('dialog', { name: 'Upload statement' })
const useIt = (page: Page) => page.getByRole('button', { name: 'Use it' })

test('a shared statement is in the dialog after the login, once, and what can’t be read is said', async ({
  people,
  shop,
}) => {
  // The sheet of Android sends it from no page, so no page's policy forbids it
  const { page } = await people.visitor({ viewport: PHONE, bypassCSP: true })
  await install(page)
  const dialog = uploadOf(page)

  await share(page, { files: [{ name: 'axis.csv', text: STATEMENT }] })
  await expect(page).toHaveURL(/\/admin-login\?next=/)
  expect(await kept(page)).toBe(true)
  await logIn(page, shop.admin)
  await expect(page.getByRole('alertdialog', { name: 'Shared from another app: axis.csv. Use it?' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await useIt(page).click()
  await expect(dialog.getByText('New credits')).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/payment-manager$/)
  expect(await kept(page)).toBe(false)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Pending top-ups' })).toBeVisible()
  await expect(dialog).toHaveCount(0)

  await test.step('text', async () => {
    await share(page, { text: STATEMENT })
    await expect(page.getByRole('alertdialog', { name: 'Shared from another app: a text. Use it?' })).toBeVisible()
    await useIt(page).click()
    await expect(dialog.getByText('New credits')).toBeVisible()
  })
  const FAULTS = [
    [{ files: [{ name: 'a.csv', text: 'a', size: 5_242_881 }] }, 'This file is larger than 5 MB.'],
    [
      { files: [{ name: 'a.pdf', text: '%PDF-1.7' }] },
      'This PDF can’t be read. Download it again, or choose CSV or Excel.',
    ],
    [{ files: [1, 2].map((name) => ({ name: `${name}.csv`, text: 'a' })) }, 'Share one statement at a time.'],
  ] as const
  for (const [shared, said] of FAULTS)
    await test.step(said, async () => {
      await share(page, structuredClone(shared) as Parameters<typeof share>[1])
      if (said.startsWith('This PDF')) await useIt(page).click()
      await expect(dialog.getByText(said)).toBeVisible()
      await expect(dialog.getByRole('button', { name: 'Choose a file' })).toBeVisible()
    })
})

test('what an admin has not shared is not used, and is then nowhere', async ({ people, shop }) => {
  const { page } = await people.visitor({ viewport: PHONE, bypassCSP: true })
  await install(page)
  await share(page, { files: [{ name: 'axis.csv', text: STATEMENT }] })
  await logIn(page, shop.admin)
  await page
    .getByRole('alertdialog', { name: /^Shared from another app/ })
    .getByRole('button', { name: 'Cancel' })
    .click()

  await expect(page).toHaveURL(/\/admin\/payment-manager$/)
  await expect(page.getByRole('heading', { name: 'Pending top-ups' })).toBeVisible()
  await expect(uploadOf(page)).toHaveCount(0)
  expect(await kept(page)).toBe(false)
})

test('another site’s form leaves no statement, however it hides where it comes from', async ({ people, shop }) => {
  const { page } = await people.visitor({ viewport: PHONE, bypassCSP: true })
  await install(page)
  const form =
    `<form method="post" enctype="multipart/form-data" target="_top" action="${shop.url}/admin/share-statement">` +
    `<textarea name="text">${STATEMENT}</textarea></form><script>document.forms[0].submit()</script>`
  const sandboxed = `<iframe sandbox="allow-scripts allow-forms allow-top-navigation" srcdoc='${form}'></iframe>`
  const sites: [name: string, body: string, headers?: Record<string, string>][] = [
    ['open', form],
    ['no-referrer', form, { 'referrer-policy': 'no-referrer' }],
    ['sandboxed', sandboxed],
  ]
  for (const [name, body, headers] of sites)
    await test.step(name, async () => {
      const site = `http://${name}.evil.test/`
      await page.route(site, (route) => route.fulfill({ contentType: 'text/html', body, ...(headers && { headers }) }))
      await page.goto(site, { waitUntil: 'commit' })
      await expect(page).toHaveURL(/\/admin-login\?next=/)
      expect(await kept(page)).toBe(false)
    })
  await logIn(page, shop.admin)
  await expect(uploadOf(page).getByText('The shared file didn’t arrive. Choose it here.')).toBeVisible()
  await expect(useIt(page)).toHaveCount(0)
})
