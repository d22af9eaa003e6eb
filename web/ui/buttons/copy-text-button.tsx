import type { ComponentProps } from 'react'
import { t } from '../../platform/i18n.ts'
import { Button } from './button.tsx'
import { useCopy, type CopyableProps } from './copyable.tsx'

type Look = Pick<ComponentProps<typeof Button>, 'size' | 'variant' | 'disabled' | 'onClick' | 'aria-label'>
interface CopyTextButtonProps extends Look, Partial<CopyableProps> {
  text: string
  label?: string
  /** What to do where the browser lets nothing be copied. */
  otherwise?: string
}

/** Says its name, "Copy UPI ID", then briefly "Copied". Both take up space, so that it keeps its width. */
export function CopyTextButton(props: CopyTextButtonProps) {
  const { text, what = '', label = t('Copy {what}', { what }), otherwise, onClick, ...rest } = props
  const { copied, copy, Icon } = useCopy(text, otherwise)
  return (
    <Button
      variant="secondary"
      className="min-w-0 px-2! text-sm!"
      icon={<Icon size={16} aria-hidden className={copied && rest.variant !== 'primary' ? 'text-ok' : ''} />}
      {...rest}
      aria-label={copied ? undefined : rest['aria-label']}
      onClick={(event) => {
        copy()
        onClick?.(event)
      }}
    >
      <span className="grid justify-items-center *:col-start-1 *:row-start-1">
        <span className={copied ? 'invisible' : 'whitespace-nowrap'}>{label}</span>
        <span aria-hidden className={copied ? '' : 'invisible'}>
          {t('Copied')}
        </span>
      </span>
      <output className="sr-only">{copied && t('Copied')}</output>
    </Button>
  )
}
