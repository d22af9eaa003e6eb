import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Check, Copy } from 'lucide-react'
import { COPY_FEEDBACK_MS } from '../../../contract/limits.ts'
import { copyToClipboard } from '../../platform/files/copy-to-clipboard.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { cx } from '../cx.ts'

export interface CopyableProps {
  text: string
  /** Thing in the button's name: "key" gives "Copy key". */
  what: string
  className?: string
}

/** Lets a key break after its dashes, before it breaks anywhere else. It is copied as it is. */
export const byDashes = (text: string): ReactNode[] =>
  text.split('-').flatMap((part, at) => (at > 0 ? ['-', <wbr key={at} />, part] : [part]))

/** Shows a key or a UTR in mono, with a copy button that briefly says "Copied". `<Copyable text what="key" />` */
export function Copyable({ text, what, className }: CopyableProps) {
  return (
    <div
      className={cx(
        'flex items-center gap-2 rounded-control border border-line-2 bg-sunken py-0.5 pr-0.5 pl-3',
        className,
      )}
    >
      <code translate="no" className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">
        {byDashes(text)}
      </code>
      <CopyButton text={text} what={what} />
    </div>
  )
}

/** Shows the copy button alone. */
export function CopyButton({ text, what, className }: CopyableProps) {
  const { copied, copy, Icon } = useCopy(text)
  const label = t('Copy {what}', { what })
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={copy}
      className={cx(
        'grid size-11 shrink-0 place-items-center rounded-control transition-colors hover:bg-hover',
        copied ? 'text-ok' : 'text-fg-2 hover:text-fg',
        className,
      )}
    >
      <Icon size={17} aria-hidden />
      <output className="sr-only">{copied && t('Copied')}</output>
    </button>
  )
}

export function useCopy(
  text: string,
  otherwise = t('Your browser blocked copying. Select the text and copy it yourself.'),
) {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    if (!(await copyToClipboard(text))) {
      toast(otherwise, { tone: 'bad' })
      return
    }
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), COPY_FEEDBACK_MS)
  }
  return { copied, copy: () => void copy(), Icon: copied ? Check : Copy }
}
