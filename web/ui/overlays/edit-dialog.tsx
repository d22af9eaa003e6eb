import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react'
import { t } from '../../platform/i18n.ts'
import { navigate } from '../../platform/navigation/router.tsx'
import { Button } from '../buttons/button.tsx'
import { confirm } from './confirm.ts'
import { Dialog } from './dialog.tsx'
import { focusFault } from '../fields/focus-fault.ts'
import { FormError } from '../fields/form-error.tsx'
import { WeightyButton } from '../buttons/weighty-button.tsx'

interface EditDialogProps {
  open: boolean
  /** "New plan", "Edit Orbit Arena Pro" */
  title: string
  description?: ReactNode
  submitLabel: string
  /** Makes the button red, because the action harms someone. */
  danger?: boolean
  /** Something has been changed: it asks before it throws that away. */
  dirty?: boolean
  pending: boolean
  /** What is pending was begun by a button of the form, which shows it. */
  isElsewhere?: boolean
  /** Why the person may not save this. */
  denied?: string | undefined
  /** An error of the whole form, shown over the buttons. Errors of one field are shown at the field. */
  error?: ReactNode
  onSubmit: () => void
  onClose: () => void
  size?: 'md' | 'wide'
  children: ReactNode
}

/** Closes what may hold unsaved changes, and asks before it throws them away. */
export async function discard(isDirty: boolean | undefined, close: () => void): Promise<void> {
  const isSure =
    !isDirty ||
    (await confirm({
      title: t('Discard your changes?'),
      body: t('You have unsaved changes.'),
      confirmLabel: t('Discard'),
      cancelLabel: t('Keep editing'),
      danger: true,
    }))
  if (isSure) close()
}

/** Asks the same before a link in the dialog leads to another page: `<Link onClick={leave(isDirty)}>` */
export const leave = (isDirty: boolean) => (event: MouseEvent<HTMLAnchorElement>) => {
  const { pathname, search } = event.currentTarget
  if (!isDirty || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  void discard(isDirty, () => void navigate({ href: pathname + search }))
}

/** A mutation reports `isPending` within this time, in ms. */
const PENDING_SHOWS_MS = 50

/**
 * A form in a dialog of 448 px. After a refused submit the first field that is marked wrong gets the focus, whether the
 * form itself refused it or the server did.
 */
export function EditDialog(props: EditDialogProps) {
  const { open, title, description, submitLabel, danger, dirty, pending, isElsewhere, denied, error } = props
  const { onSubmit, onClose, size } = props
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const close = () => {
    if (!pending) void discard(dirty, onClose)
  }
  const isSent = useRef(false)
  const wasPending = useRef(pending)
  useEffect(() => {
    if (wasPending.current && !pending) focusFault(form.current)
    wasPending.current = pending
  }, [pending])

  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      {...(description ? { description } : {})}
      {...(size && { size })}
      sticky
      footer={
        <>
          <FormError>{error}</FormError>
          <Button variant="ghost" disabled={pending} onClick={close}>
            {t('Cancel')}
          </Button>
          <WeightyButton
            type="submit"
            form={id}
            {...(danger && { variant: 'danger' })}
            pending={pending && !isElsewhere}
            disabled={pending && isElsewhere}
            denied={denied}
          >
            {submitLabel}
          </WeightyButton>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        noValidate
        aria-label={title}
        // Text typed after a refusal makes another submit, however soon
        onInput={() => {
          isSent.current = false
        }}
        onSubmit={(event) => {
          event.preventDefault()
          // The second click of a pair comes before `pending` does, or while the dialog moves out.
          if (pending || denied || !open || isSent.current) return
          isSent.current = true
          setTimeout(() => {
            isSent.current = false
          }, PENDING_SHOWS_MS)
          onSubmit()
          focusFault(form.current)
        }}
        className="grid grid-cols-1 gap-4 pb-1"
      >
        {props.children}
      </form>
    </Dialog>
  )
}
