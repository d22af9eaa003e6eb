/**
 * Keeps input from before the page is hydrated. Links work by themselves, except for those with `data-held`, which do
 * more than lead somewhere. A script in index.html notes what was pressed. Typed text, by hand or by a password
 * manager, is in the fields but in no state.
 * @returns a function that repeats the input once the page is hydrated
 */
export function keepEarlyInput(root: HTMLElement): () => void {
  const typed = new Map<HTMLInputElement, string>()
  const chosen: HTMLInputElement[] = []
  for (const input of root.querySelectorAll('input')) {
    if (input.value !== input.defaultValue) typed.set(input, input.value)
    if (input.checked && !input.defaultChecked) chosen.push(input)
  }
  // The page hydrates in pieces while the person types on.
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
    // Runs after the typed text is drawn, so that a form knows it.
    if (pressed?.isConnected) setTimeout(() => pressed.click())
  }
}

/** @returns the label of what was pressed, for a page that is drawn anew */
export function forgetEarlyInput(): string | null | undefined {
  const note = window.noteEarly
  if (note) removeEventListener('click', note)
  delete window.noteEarly
  return note?.button?.ariaLabel
}

declare global {
  interface Window {
    /** Set by index.html: the last button, or link with `data-held`, pressed so far. */
    noteEarly?: EventListener & { button?: HTMLElement | null }
  }
}

const setValue = Object.getOwnPropertyDescriptor(globalThis.HTMLInputElement?.prototype ?? {}, 'value')?.set

/** Empties React's own setter value first, because React compares with that. */
function typeInto(input: HTMLInputElement, value: string): void {
  if (!input.isConnected) return
  input.value = ''
  setValue?.call(input, value)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Like `typeInto`, because a click on the selected choice would trigger no event. */
function choose(input: HTMLInputElement): void {
  if (!input.isConnected) return
  input.checked = false
  input.click()
}
