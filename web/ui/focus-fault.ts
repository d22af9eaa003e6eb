/** On a slow phone the marks are drawn some frames after they were decided on. */
const FRAMES_MAX = 20

/** Puts the focus on the first field of the form that is marked wrong, once it is. */
export function focusFault(form: HTMLElement | null, frames = FRAMES_MAX): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (field) field.focus()
    else if (frames > 0 && form?.isConnected) focusFault(form, frames - 1)
  })
}
