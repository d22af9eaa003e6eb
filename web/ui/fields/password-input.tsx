import { useState, type ComponentProps, type KeyboardEvent } from 'react'
import { Eye, EyeOff } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { useFieldControl } from './field-context.ts'
import { cx } from '../cx.ts'

/** A password field with show/hide and a Caps Lock hint. Otherwise like `<Input>`. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent<HTMLInputElement>) => setCapsLock(event.getModifierState('CapsLock'))
  const label = shown ? t('Hide password') : t('Show password')
  return (
    <div>
      <div className="relative">
        <input
          {...useFieldControl()}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...rest}
          type={shown ? 'text' : 'password'}
          onKeyDown={(event) => {
            watchCapsLock(event)
            rest.onKeyDown?.(event)
          }}
          onKeyUp={watchCapsLock}
          className={cx('control pr-12', className)}
        />
        <button
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-control text-fg-3 hover:text-fg"
        >
          {shown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
        </button>
      </div>
      <output className={cx('block text-xs text-warn', capsLock && 'mt-1.5')}>
        {capsLock && t('Caps Lock is on')}
      </output>
    </div>
  )
}
