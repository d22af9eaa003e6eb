import { useId, useRef, useState, type ReactNode } from 'react'
import { errorMessage } from '../../../platform/calls/api-error.ts'
import { t } from '../../../platform/i18n.ts'
import { lastAction } from '../../../platform/navigation/toast.ts'
import { Button } from '../../buttons/button.tsx'
import { Field } from '../../fields/field.tsx'
import { FormError } from '../../fields/form-error.tsx'
import { Input } from '../../fields/input.tsx'
import { Modal } from '../../overlays/modal.tsx'
import { WeightyButton } from '../../buttons/weighty-button.tsx'

interface DeleteDialogProps {
  open: boolean
  /** Names the thing: "Delete Orbit Arena Pro?" */
  title: string
  /** The effects of the deletion, and the people affected. */
  children: ReactNode
  confirmLabel?: string
  /** What it deletes, if that may change while it is open. */
  does?: string
  /** A text to type first, because the deletion is large and can't be undone. */
  typeToConfirm?: string
  /** Deletes, and brings the list up to date. A rejection is shown here, and the dialog stays for another try. */
  action: () => Promise<unknown>
  /** The words for a rejection, where the server's own will not do. */
  failure?: (error: unknown) => ReactNode
  onClose: () => void
}

const FOCUS_CHECK_MS = 100

type Deletion = Pick<DeleteDialogProps, 'open' | 'action' | 'onClose'> & { isTyped: boolean }

/** Runs the deletion once, and moves the focus on when the dialog has closed. */
function useDeletion({ open, isTyped, action, onClose }: Deletion) {
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  const isAtWork = useRef(false)
  const isByKeyboard = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const run = async () => {
    // The second click of a pair comes before `pending` does, or while the dialog moves out.
    if (isAtWork.current || !isTyped || !open) return
    isAtWork.current = true
    setPending(true)
    setError(undefined)
    const before = lastAction()
    try {
      await action()
      onClose()
      const settle = () => {
        // A slow phone is not there yet, and the focus would go with the dialog.
        if (form.current?.closest('dialog')?.open) {
          setTimeout(settle, FOCUS_CHECK_MS)
          return
        }
        // Undo is last in the document, which is a long way with the keyboard alone.
        const undo = lastAction()
        if (isByKeyboard.current && undo !== before) document.getElementById(`toast-${undo}`)?.focus()
      }
      setTimeout(settle, FOCUS_CHECK_MS)
    } catch (cause) {
      setError(cause)
    } finally {
      isAtWork.current = false
      setPending(false)
    }
  }
  /** Enter in the field clicks the button too; such a click has no count. */
  const onClick = ({ detail }: { detail: number }) => {
    isByKeyboard.current = detail === 0
  }
  return { button: { pending, onClick }, error, form, run }
}

/** Asks before a deletion. Unlike `confirm` it stays open until the server answers, and shows an error. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { open, title, children, confirmLabel, does = '', typeToConfirm, action, failure, onClose } = props
  const id = useId()
  const [typed, setTyped] = useState('')
  const isTyped = !typeToConfirm || typed.trim() === typeToConfirm
  const { button, error, form, run } = useDeletion({ open, isTyped, action, onClose })
  const close = () => {
    if (!button.pending) onClose()
  }
  return (
    <Modal
      open={open}
      onClose={close}
      role="alertdialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-body`}
      sticky
      className="sheet"
    >
      <form
        ref={form}
        className="min-h-0 scroll-y p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:p-6"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <h2 id={`${id}-title`} className="text-lg font-semibold wrap-break-word">
          {title}
        </h2>
        <div id={`${id}-body`} className="mt-1.5 grid gap-2 text-sm wrap-break-word text-fg-2">
          {children}
        </div>
        {typeToConfirm && (
          <Field label={t('Type {text} to confirm', { text: typeToConfirm })} className="mt-4">
            <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" data-autofocus />
          </Field>
        )}
        <div className="mt-4">
          <FormError>{error !== undefined && (failure?.(error) ?? errorMessage(error))}</FormError>
        </div>
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <Button variant="ghost" onClick={close} {...(!typeToConfirm && { 'data-autofocus': true })}>
            {t('Cancel')}
          </Button>
          <WeightyButton type="submit" variant="danger" does={does} disabled={!isTyped} {...button}>
            {confirmLabel ?? t('Delete')}
          </WeightyButton>
        </div>
      </form>
    </Modal>
  )
}
