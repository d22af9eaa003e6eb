import type { Page } from '@playwright/test'

/** A call that fails until a person presses Retry. The page also tries again, and then there is no Retry. */
export async function failUntilRetried(
  page: Page,
  url: string,
  failure: { status: number; json: object },
  then?: object,
) {
  await page.addInitScript(() =>
    addEventListener(
      'click',
      ({ target }) => {
        const pressed = target instanceof Element && target.closest('button')
        if (pressed && /^(Retry|Try again)$/.test(pressed.textContent.trim())) document.documentElement.id = 'retried'
      },
      { capture: true },
    ),
  )
  await page.route(url, async (route) => {
    if (!(await page.evaluate(() => document.documentElement.id === 'retried'))) return route.fulfill(failure)
    return then ? route.fulfill({ json: then }) : route.continue()
  })
}
