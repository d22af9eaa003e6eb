/**
 * A person's thumb. The page itself counts each touch that reaches it. Text goes only where a touch, the page, or the
 * phone's Next key has put the focus.
 */
import type { Locator, Page } from '@playwright/test'
import { expect } from './people.ts'

export async function handOf(page: Page) {
  let taps = 0
  await page.exposeFunction('noteTap', () => {
    taps += 1
  })
  await page.addInitScript(() => {
    const note = ({ isTrusted, isPrimary }: PointerEvent) => {
      if (isTrusted && isPrimary) Reflect.get(window, 'noteTap')()
    }
    addEventListener('pointerdown', note, true)
  })
  return {
    taps: () => taps,
    tap: async (what: string | RegExp | Locator) => {
      const before = taps
      const name = { name: what as string | RegExp, exact: typeof what === 'string' }
      const target = typeof what === 'object' && 'tap' in what ? what : page.getByRole('button', name)
      await target.filter({ visible: true }).first().tap()
      await expect.poll(() => taps, 'each touch is counted').toBe(before + 1)
    },
    /** Waits until the field has the focus, which nothing here gives it. */
    type: async (label: string, text: string) => {
      await expect(page.getByLabel(label, { exact: true })).toBeFocused()
      for (const [at, line] of text.split('\n').entries()) {
        if (at > 0) await page.keyboard.press('Enter')
        await page.keyboard.type(line)
      }
    },
    /** The key of a phone's keyboard, which the field asks for. It skips buttons. */
    nextField: async () => {
      await expect(page.locator(':focus')).toHaveAttribute('enterkeyhint', 'next')
      await page.evaluate(() => {
        const fields = [...document.querySelectorAll<HTMLInputElement>('input:not([type=checkbox], [type=radio])')]
        const seen = fields.filter((field) => field.checkVisibility())
        seen[seen.findIndex((field) => field === document.activeElement) + 1]?.focus()
      })
    },
  }
}
