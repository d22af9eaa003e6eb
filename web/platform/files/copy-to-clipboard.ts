/**
 * Copies text. @returns true if it is on the clipboard. Plain HTTP (a store on a LAN address) has no clipboard API, so
 * the older way stays.
 */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'sr-only'
  // Goes inside an open dialog, because elements outside it can't take the focus.
  const host = document.querySelector('dialog[open]') ?? document.body
  const focused = document.activeElement
  host.append(area)
  area.select()
  let copied = false
  try {
    copied = document.execCommand('copy')
  } catch {
    copied = false
  }
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
