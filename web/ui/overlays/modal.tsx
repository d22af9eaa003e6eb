import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { openLayer } from '../../platform/navigation/layers.ts'
import { afterPaint } from '../../platform/navigation/after-paint.ts'
import { Announcer } from './announcer.tsx'
import { openDialogs } from '../../platform/navigation/open-dialogs.ts'
import { cx } from '../cx.ts'

/** Lasts as long as the closing movement in dialogs.css, in ms. */
const CLOSE_MS = 300

interface ModalProps {
  open: boolean
  /** Escape, the backdrop, or the way back. */
  onClose: () => void
  /** Name of the dialog: the id of its heading, or the text itself. */
  labelledBy?: string
  label?: string
  describedBy?: string
  role?: 'dialog' | 'alertdialog'
  /** A click outside does nothing, for answers that must be given and forms that would be lost. */
  sticky?: boolean
  className: string
  data?: Record<`data-${string}`, string>
  children: ReactNode
}

/**
 * Uses the browser's own modal dialog. It keeps the focus inside, gives it back at the end, closes on Escape and hides
 * the page from screen readers, all without our script. Dialog, Drawer and confirmations use it.
 */
export function Modal(props: ModalProps) {
  const { open } = props
  const [present, setPresent] = useState(open)
  if (open && !present) setPresent(true)
  useEffect(() => {
    if (open || !present) return undefined
    const timer = setTimeout(() => setPresent(false), CLOSE_MS)
    return () => clearTimeout(timer)
  }, [open, present])
  return present ? <OpenModal {...props} /> : null
}

function OpenModal(props: ModalProps) {
  const { open, labelledBy, label, describedBy, role, className, data, children } = props
  const ref = useRef<HTMLDialogElement>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    const dialog = ref.current
    if (!dialog || open === dialog.open) return undefined
    // The focus goes back before anybody gives it to another row
    if (!open) return dialog.close()
    return afterPaint(() => {
      if (!document.querySelector('dialog[open]')) reserveScrollbar()
      show(dialog)
    })
  }, [open])

  useLayer(ref, open, latest)
  useWaysOut(ref, latest)

  return (
    <dialog
      ref={ref}
      tabIndex={-1}
      role={role}
      aria-labelledby={labelledBy}
      aria-label={label}
      aria-describedby={describedBy}
      {...data}
      className={cx('modal', className)}
    >
      {children}
      {open && <Announcer />}
    </dialog>
  )
}

type DialogRef = RefObject<HTMLDialogElement | null>
type Latest = RefObject<ModalProps>

/** Keeps an open dialog in the list of them, and lets the way back close it. */
function useLayer(ref: DialogRef, open: boolean, latest: Latest): void {
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!open || !dialog) return undefined
    openDialogs.set([...openDialogs.get(), dialog])
    const closeLayer = openLayer(() => latest.current.onClose())
    return () => {
      openDialogs.set(openDialogs.get().filter((each) => each !== dialog))
      closeLayer()
    }
  }, [ref, open, latest])
}

/** Asks the dialog's owner to close it after Escape, or a click on the backdrop. */
function useWaysOut(ref: DialogRef, latest: Latest): void {
  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return undefined
    let held: Element | null
    let isOnTop = true
    const onCancel = (event: Event) => {
      if (event.target !== dialog) return
      held = document.activeElement
      isOnTop = openDialogs.get().at(-1) === dialog
      event.preventDefault()
      // A second Escape in a row can't be prevented. The browser closes the dialog, and `onClosed` asks.
      if (event.defaultPrevented) latest.current.onClose()
    }
    const onPointerDown = (event: PointerEvent) => {
      const { sticky, onClose } = latest.current
      if (event.target === dialog && !sticky && isBeside(dialog, event)) onClose()
    }
    const onClosed = (event: Event) => {
      // Also sent if it was closed here, which needs no report, or closed and shown again at once.
      if (event.target !== dialog || dialog.open || !latest.current.open) return
      // The owner decides if it closes. A key that closed the dialog above may not close this one, too.
      show(dialog, held)
      if (isOnTop) latest.current.onClose()
    }
    dialog.addEventListener('cancel', onCancel)
    dialog.addEventListener('pointerdown', onPointerDown)
    dialog.addEventListener('close', onClosed)
    return () => {
      dialog.removeEventListener('cancel', onCancel)
      dialog.removeEventListener('pointerdown', onPointerDown)
      dialog.removeEventListener('close', onClosed)
      // Unmounted while open, by a change of page. The focus still goes back.
      if (dialog.open) dialog.close()
    }
  }, [ref, latest])
}

/**
 * Keeps the scroll bar's width free while a dialog is open. Phones have none, and there it is left alone: a variable of
 * the root makes the browser work out the styles of the whole page once more.
 */
function reserveScrollbar(): void {
  const { documentElement: page } = document
  const width = window.innerWidth - page.clientWidth
  if (width > 0) page.style.setProperty('--scrollbar', `${width}px`)
}

/**
 * Focuses `held`, which had the focus when the dialog was last open, else the field marked for it. A random field would
 * raise a phone's keyboard over the sheet.
 */
function show(dialog: HTMLDialogElement, held: Element | null = null): void {
  dialog.showModal()
  const wanted = dialog.contains(held) ? held : dialog.querySelector('[data-autofocus]')
  ;((wanted ?? dialog) as HTMLElement).focus({ preventScroll: true })
}

function isBeside(dialog: HTMLDialogElement, { clientX, clientY }: PointerEvent): boolean {
  const box = dialog.getBoundingClientRect()
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom
}
