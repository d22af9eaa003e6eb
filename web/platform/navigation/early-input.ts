/**
 * Keeps input from before the page is hydrated. Links work without it, except for those with `data-held`, which do
 * more than lead somewhere. A script in index.html notes what was pressed. Typed text, by hand or by a password
 * manager, is in the fields but in no state.
 * @returns a function that repeats the input once the page is hydrated
 */
export function keepEarlyInput(root: HTMLElement): () => void {
  const typed = new Map<Typed, string>()
  const chosen = new Map<HTMLInputElement, boolean>()
  const keep = (field: EventTarget | null) => {
    if (isChoice(field)) chosen.set(field, field.checked)
    else if (isTyped(field)) typed.set(field, field.value)
  }
  for (const field of root.querySelectorAll<Typed>('input, select, textarea')) if (isChanged(field)) keep(field)
  // The page hydrates in pieces while the person types on.
  const note = ({ target }: Event) => keep(target)
  root.addEventListener('input', note, true)
  return () => {
    root.removeEventListener('input', note, true)
    for (const [field, value] of typed) typeInto(field, value)
    for (const [input, isOn] of chosen) choose(input, isOn)
    const pressed = window.noteEarly?.button
    forgetEarlyInput(root)
    // Runs after the typed text is drawn, so that a form knows it.
    if (pressed?.isConnected) setTimeout(() => pressed.click())
  }
}

type Typed = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isTyped = (field: EventTarget | null): field is Typed =>
  field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement

/** Its value is what it sends, and never changes. */
const isChoice = (field: EventTarget | null): field is HTMLInputElement =>
  field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)

/** True if the person has changed it since it was drawn. Of radio buttons, the one that was chosen. */
function isChanged(field: Typed): boolean {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options]
    return field.selectedOptions[0] !== (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])
  }
  if (!isChoice(field)) return field.value !== field.defaultValue
  return field.checked !== field.defaultChecked && (field.checked || field.type === 'checkbox')
}

/** @returns in a page that was drawn again, the button in the place of the one that was pressed before */
export function forgetEarlyInput(root: HTMLElement): HTMLElement | undefined {
  const note = window.noteEarly
  if (note) removeEventListener('click', note)
  delete window.noteEarly
  const pressed = note?.button
  if (!pressed?.ariaLabel || pressed.isConnected) return undefined
  return root.querySelector<HTMLElement>(`[aria-label="${CSS.escape(pressed.ariaLabel)}"]`) ?? undefined
}

declare global {
  interface Window {
    /** Set by index.html: the last button, or link with `data-held`, pressed so far. */
    noteEarly?: EventListener & { button?: HTMLElement | null }
  }
}

/** Empties React's own setter value first, because React compares with that. */
function typeInto(field: Typed, value: string): void {
  if (!field.isConnected) return
  if (field instanceof HTMLSelectElement) {
    field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
    return
  }
  field.value = ''
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Like `typeInto`, because a click on the selected choice would trigger no event. */
function choose(input: HTMLInputElement, isOn: boolean): void {
  if (!input.isConnected) return
  input.checked = !isOn
  input.click()
}
