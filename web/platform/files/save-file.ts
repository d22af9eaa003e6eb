import { t } from '../i18n.ts'
import { toast } from '../navigation/toast.ts'

/** Browsers inside other apps take such a file and drop it without a word. They name themselves or their WebView. */
const IN_ANOTHER_APP = /; wv\)|\bFBA[NV]\b|Instagram|WhatsApp|Telegram|\bLine\//

/** Gives the browser a file to save. */
export function saveFile(name: string, type: string, content: string): void {
  saveBlob(name, new Blob([content], { type: `${type};charset=utf-8` }))
}

const TO_BE_READ_MS = 10_000

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  if (IN_ANOTHER_APP.test(navigator.userAgent))
    toast(t('No file? Open the store in Chrome or Safari. This app may not save files.'), {
      tone: 'info',
      durationMs: TO_BE_READ_MS,
    })
  // Safari reads it only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
