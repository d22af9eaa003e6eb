/** Frames to wait for a mark, because a slow phone draws it some frames late. */
const FRAMES_MAX = 20

/** Focuses the form's first field marked as wrong, once it is marked. */
export function focusFault(form: HTMLElement | null, frames = FRAMES_MAX): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (field) field.focus()
    else if (frames > 0 && form?.isConnected) focusFault(form, frames - 1)
  })
}
