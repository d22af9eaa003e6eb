/** True when the text is on the clipboard. Off HTTPS the clipboard API is missing (a shop on a LAN address), so the old way stays. */
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
  // Inside an open dialog, because what lies outside of it can't take the focus.
  const host = document.querySelector('dialog:modal') ?? document.body
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
