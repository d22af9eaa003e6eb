import { KeyRound } from 'lucide-react'
import { useFace } from '../../platform/calls/site.ts'
import { cx } from '../cx.ts'

/** In two lines on a phone, whose header has little room. */
const NAME = 'line-clamp-2 min-w-0 text-lg leading-5 font-semibold tracking-[-0.02em] wrap-anywhere max-sm:text-base'

/** Shows the store's mark and name. */
export function Brand({ hideName }: { hideName?: boolean }) {
  const { websiteName, logo } = useFace()
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      {logo ? (
        <img src={logo} alt="" width={32} height={32} className="size-8 shrink-0 rounded-[9px]" />
      ) : (
        <span
          aria-hidden
          className={
            'grid size-8 shrink-0 place-items-center rounded-[9px] border border-brand-line bg-brand-bg text-brand'
          }
        >
          <KeyRound size={17} />
        </span>
      )}
      <span className={cx(NAME, hideName && 'sr-only')}>{websiteName}</span>
    </span>
  )
}
