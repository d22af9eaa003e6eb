/**
 * What a person does while the page is drawn but not alive yet. Links work by themselves; a press of a button is noted by
 * the script in index.html; what was typed, by hand or by a password manager, stands in the fields, but in no state.
 * @returns does it again, once the page is alive
 */
export function keepEarlyInput(root: HTMLElement): () => void {
  const typed = new Map<HTMLInputElement, string>()
  const chosen: HTMLInputElement[] = []
  for (const input of root.querySelectorAll('input')) {
    if (input.value !== input.defaultValue) typed.set(input, input.value)
    if (input.checked && !input.defaultChecked) chosen.push(input)
  }
  // The page comes alive piece by piece, and the person types on meanwhile
  const note = ({ target }: Event) => {
    if (target instanceof HTMLInputElement) typed.set(target, target.value)
  }
  root.addEventListener('input', note, true)
  return () => {
    root.removeEventListener('input', note, true)
    for (const [input, value] of typed) typeInto(input, value)
    for (const input of chosen) choose(input)
    const pressed = window.noteEarly?.button
    forgetEarlyInput()
    // After what was typed has been drawn, so that a form knows of it
    if (pressed?.isConnected) setTimeout(() => pressed.click())
  }
}

export function forgetEarlyInput(): void {
  if (window.noteEarly) removeEventListener('click', window.noteEarly)
  delete window.noteEarly
}

declare global {
  interface Window {
    /** Of index.html: the last button that was pressed so far. */
    noteEarly?: EventListener & { button?: HTMLElement | null }
  }
}

const setValue = Object.getOwnPropertyDescriptor(globalThis.HTMLInputElement?.prototype ?? {}, 'value')?.set

/** React compares with the value that it last saw through its own setter: that is emptied first. */
function typeInto(input: HTMLInputElement, value: string): void {
  if (!input.isConnected) return
  input.value = ''
  setValue?.call(input, value)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** As `typeInto`: a click on what is chosen already would tell nobody. */
function choose(input: HTMLInputElement): void {
  if (!input.isConnected) return
  input.checked = false
  input.click()
}
