import { useEffect, useRef, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import type { OwnedKey } from '../../contract/keys.ts'
import { COPY_FEEDBACK_MS } from '../../contract/limits.ts'
import { copyToClipboard } from '../platform/files/copy-to-clipboard.ts'
import { t } from '../platform/i18n.ts'
import { toast } from '../platform/navigation/toast.ts'
import { Button } from '../ui/buttons/button.tsx'
import { toLines } from './export-keys.ts'

interface CopyAllButtonProps {
  keys: readonly OwnedKey[]
  /** Names the keys if the page has more than one "Copy all". */
  of?: string
  size?: 'md' | 'sm'
  className?: string
}

/** Copies the keys, one per line, and confirms it on the button. */
export function CopyAllButton({ keys, of, size = 'md', className }: CopyAllButtonProps) {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    if (!(await copyToClipboard(toLines(keys)))) {
      toast(t('Your browser blocked copying. Download the keys instead.'), { tone: 'bad' })
      return
    }
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), COPY_FEEDBACK_MS)
  }
  return (
    <Button
      variant="secondary"
      size={size}
      disabled={keys.length === 0}
      aria-label={of && !copied ? t('Copy all: {of}', { of }) : undefined}
      icon={copied ? <Check size={17} aria-hidden className="text-ok" /> : <Copy size={16} aria-hidden />}
      onClick={() => void copy()}
      {...(className && { className })}
    >
      {/* Both words take up space, so that the button keeps its width. */}
      <span className="grid items-center justify-items-center">
        <span aria-hidden={copied} className={copied ? 'invisible col-start-1 row-start-1' : 'col-start-1 row-start-1'}>
          {t('Copy all')}
        </span>
        <span
          aria-hidden={!copied}
          className={copied ? 'col-start-1 row-start-1' : 'invisible col-start-1 row-start-1'}
        >
          {t('Copied')}
        </span>
      </span>
      <output className="sr-only">{copied && t('Copied')}</output>
    </Button>
  )
}
