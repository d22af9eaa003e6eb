import type { ComponentProps } from 'react'
import { t } from '../platform/i18n.ts'
import { Link } from '../platform/router.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { WaitHere } from '../waiting/wait-here.tsx'

interface WaysOutProps extends ComponentProps<typeof WaitHere> {
  /** True if no other duration can be bought. */
  isAlone: boolean
}

/** What a buyer can do about a duration that is out of stock, except for choosing another one. */
export function WaysOut({ isAlone, ...wish }: WaysOutProps) {
  return (
    <>
      <WaitHere {...wish} />
      {isAlone && (
        <p className="text-fg-2">
          {t('All durations of this product are out of stock.')}{' '}
          <Link to="/" className="font-semibold text-brand hover:underline">
            {t('View other products')}
          </Link>
          <SupportLink className="mt-1 block font-semibold text-brand hover:underline">
            {t('Ask support when it’s back')}
          </SupportLink>
        </p>
      )}
    </>
  )
}
