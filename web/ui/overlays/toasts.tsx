import { useCallback, useEffect, useLayoutEffect, useRef, type FocusEvent } from 'react'
import { createPortal } from 'react-dom'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { dismissToast, useToasts, type Toast } from '../../platform/navigation/toast.ts'
import { useStore } from '../../platform/store.ts'
import { cx } from '../cx.ts'
import { openDialogs } from '../../platform/navigation/open-dialogs.ts'

const ICONS = { ok: CircleCheck, bad: CircleAlert, info: Info }
const TONES = { ok: 'text-ok', bad: 'text-bad', info: 'text-info' }

/** Shows toasts: bottom centre on phones, bottom right on wide screens. `Announcer` reads them out. */
export function Toasts() {
  const toasts = useToasts()
  const dialog = useStore(openDialogs).at(-1)
  const region = (
    <section
      aria-label={t('Notifications')}
      className={
        'toasts pointer-events-none fixed inset-x-4 z-50 grid justify-items-center gap-2 sm:inset-x-auto ' +
        'sm:right-6 sm:justify-items-end'
      }
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
  return createPortal(region, dialog ?? document.body)
}

function ToastCard({ toast }: { toast: Toast }) {
  const left = useRef(toast.durationMs)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const since = useRef(0)
  const { id } = toast
  const run = useCallback(() => {
    clearTimeout(timer.current)
    since.current = performance.now()
    if (left.current < Infinity) timer.current = setTimeout(() => dismissToast(id), left.current)
  }, [id])
  // Keeps a toast that is being read or reached for.
  const pause = () => {
    clearTimeout(timer.current)
    // A toast that comes under the pointer is reached for before it runs
    if (since.current > 0) left.current -= performance.now() - since.current
    since.current = 0
  }
  useEffect(() => {
    run()
    return () => clearTimeout(timer.current)
  }, [run])

  const card = useRef<HTMLDivElement>(null)
  const before = useRef<HTMLElement>(null)
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    pause()
    if (relatedTarget && !card.current?.contains(relatedTarget)) before.current = relatedTarget as HTMLElement
  }
  // Gives the focus back before the toast disappears.
  useLayoutEffect(() => {
    const { current } = card
    return () => {
      // The earlier element may be gone, or in a dialog that is moving out.
      for (const back of [before.current, document.getElementById('main')])
        if (current?.contains(document.activeElement) && !back?.closest('dialog:not([open])'))
          back?.focus({ preventScroll: true })
    }
  }, [])

  const Icon = ICONS[toast.tone]
  return (
    <div
      ref={card}
      onPointerEnter={pause}
      onPointerLeave={run}
      onFocus={onFocus}
      onBlur={run}
      className={
        'toast pointer-events-auto flex max-w-md items-center gap-2.5 rounded-card border border-line-2 bg-raised ' +
        'py-1.5 pr-1.5 pl-3.5 text-sm shadow-raised'
      }
    >
      <Icon size={18} aria-hidden className={cx('shrink-0', TONES[toast.tone])} />
      <p className="min-w-0 flex-1 py-1.5 wrap-anywhere">{toast.text}</p>
      {toast.action && (
        <button
          type="button"
          id={`toast-${id}`}
          data-decides
          onClick={() => {
            toast.action?.run()
            dismissToast(id)
          }}
          className="min-h-11 rounded-control px-3 font-semibold text-brand hover:bg-hover"
        >
          {toast.action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={t('Dismiss')}
        onClick={() => dismissToast(id)}
        className="grid size-11 shrink-0 place-items-center rounded-control text-fg-3 hover:bg-hover hover:text-fg"
      >
        <X size={16} aria-hidden />
      </button>
    </div>
  )
}
