/**
 * Keeps input from before the page is hydrated, or drawn again. Links work without it, except for those with
 * `data-held`, which do more than lead somewhere. A script in index.html notes what was pressed, and keeps it from
 * React, which would take it before the text. Typed text, by hand or by a password manager, is in the fields but in no
 * state.
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
    for (const [field, value] of typed) typeInto(twinOf(root, field), value)
    for (const [input, isOn] of chosen) choose(twinOf(root, input), isOn)
    const pressed = forgetEarlyPress()
    // Runs after the typed text is drawn, so that a form knows it.
    if (pressed) setTimeout(() => twinOf(root, pressed)?.click())
  }
}

/** @returns what was pressed last */
function forgetEarlyPress(): HTMLElement | null | undefined {
  const note = window.noteEarly
  if (note) removeEventListener('click', note, true)
  delete window.noteEarly
  return note?.button
}

/** @returns the control itself, or what stands for it in a page that was drawn again: of this name, in this order */
function twinOf<Control extends HTMLElement>(root: HTMLElement, control: Control): Control | undefined {
  if (control.isConnected) return control
  const name = nameOf(control)
  const among = (tree: ParentNode) =>
    [...tree.querySelectorAll<Control>(control.localName)].filter((each) => nameOf(each) === name)
  // The old drawing has left the page, and is still whole
  return among(root)[among(control.getRootNode() as Element).indexOf(control)]
}

function nameOf(control: HTMLElement): string {
  const { ariaLabel } = control
  if (!isTyped(control)) return ariaLabel ?? control.textContent
  return [ariaLabel, control.name, control.type, isChoice(control) && control.value].join(' ')
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

declare global {
  interface Window {
    /** Set by index.html: the last button, or link with `data-held`, pressed so far. */
    noteEarly?: EventListener & { button?: HTMLElement | null }
  }
}

/** Empties React's own setter value first, because React compares with that. */
function typeInto(field: Typed | undefined, value: string): void {
  if (!field) return
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
function choose(input: HTMLInputElement | undefined, isOn: boolean): void {
  if (!input) return
  input.checked = !isOn
  input.click()
}
