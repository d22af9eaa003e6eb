import type { OwnedKey } from '../../contract/keys.ts'
import { t } from '../platform/i18n.ts'
import { CopyTextButton } from '../ui/buttons/copy-text-button.tsx'
import { toLines } from './export-keys.ts'

interface CopyAllButtonProps {
  keys: readonly OwnedKey[]
  /** Names the keys if the page has more than one "Copy all". */
  of?: string
  size?: 'md' | 'sm'
  variant?: 'primary' | 'secondary'
  className?: string
}

/** Copies the keys, one per line. */
export function CopyAllButton({ keys, of, size = 'md', variant = 'secondary', className = '' }: CopyAllButtonProps) {
  return (
    <CopyTextButton
      text={toLines(keys)}
      label={t('Copy all')}
      aria-label={of && t('Copy all: {of}', { of })}
      otherwise={t('Your browser blocked copying. Download the keys instead.')}
      disabled={keys.length === 0}
      size={size}
      variant={variant}
      className={className}
    />
  )
}
