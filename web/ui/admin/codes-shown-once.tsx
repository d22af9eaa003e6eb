import { useEffect, type ReactNode } from 'react'
import { t } from '../../platform/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { CopyTextButton } from '../buttons/copy-text-button.tsx'
import { confirm } from '../overlays/confirm.ts'
import { Dialog } from '../overlays/dialog.tsx'
import type { DialogProps } from '../overlays/open-dialog.ts'

interface CodesShownOnceProps extends Pick<DialogProps, 'open'> {
  title: string
  description: string
  /** Names the list. */
  label: string
  codes: readonly string[]
  /** What is lost by leaving. */
  lost: string
  /** Buttons that save or print. */
  ways: ReactNode
  /** On paper, above the list, which is printed as it is. */
  printed?: string
  /** What is printed instead. */
  children?: ReactNode
  /** @param areStored the person says that they have them */
  onClose: (areStored: boolean) => void
}

/** Shows codes this one time. Over the page, so that no click elsewhere and no step back takes them away unasked. */
export function CodesShownOnce(props: CodesShownOnceProps) {
  const { open, title, description, label, codes, lost, ways, printed, children, onClose } = props
  useWarningOnLeave(open)
  const leave = async () => {
    const isSure = await confirm({
      title: t('Leave without saving the codes?'),
      body: lost,
      confirmLabel: t('Leave'),
      cancelLabel: t('Go back'),
      danger: true,
    })
    if (isSure) onClose(false)
  }
  return (
    <Dialog
      open={open}
      onClose={() => void leave()}
      title={title}
      description={description}
      sticky
      footer={<Button onClick={() => onClose(true)}>{t('I’ve saved them')}</Button>}
    >
      <div className="grid gap-4 pb-1">
        <div className={`${printed ? 'print-sheet ' : ''}rounded-card border border-line bg-sunken p-4`}>
          {printed && <p className="print-only mb-4 font-semibold">{printed}</p>}
          <ol aria-label={label} className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
            {codes.map((code) => (
              <li translate="no" key={code} className="font-mono text-sm select-all">
                {code}
              </li>
            ))}
          </ol>
        </div>
        <div className="flex flex-wrap gap-2">
          {ways}
          <CopyTextButton text={codes.join('\n')} label={t('Copy all')} size="sm" />
        </div>
      </div>
      {children}
    </Dialog>
  )
}

/** Asks before the page is left with codes that are not stored yet. */
function useWarningOnLeave(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOpen])
}
