import { referralStats } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { StatCard } from '../../ui/stat-card.tsx'

const TOP_CODES = 5
const COUNTS = 'grid grid-cols-3 gap-2 large-text:grid-cols-1 max-sm:*:p-3 max-sm:[&_p:first-child]:text-xs sm:gap-4'

/** Shows three counts of codes, and the five most used active codes. */
export function ReferralStats() {
  const stats = usePanel(referralStats)
  if (stats.isError && !stats.data) {
    return (
      <p
        role="alert"
        className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-surface p-4 text-sm"
      >
        <span className="text-bad">{t('Couldn’t load referral stats.')}</span>
        <Button variant="secondary" size="sm" pending={stats.isFetching} onClick={() => void stats.refetch()}>
          {t('Retry')}
        </Button>
      </p>
    )
  }
  const { totalCodes, activeCodes, totalUsage, topCodes } = stats.data ?? {}
  const count = (value: number | undefined) => value !== undefined && formatCount(value)
  return (
    <div className="grid grid-cols-1 gap-3 sm:gap-4 lg:grid-cols-2">
      <div className={COUNTS}>
        <StatCard label={t('Total codes')} value={count(totalCodes) || undefined} />
        <StatCard label={t('Active codes')} value={count(activeCodes) || undefined} />
        <StatCard label={t('Total sign-ups')} value={count(totalUsage) || undefined} />
      </div>
      <section aria-label={t('Top codes')} className="rounded-card border border-line bg-surface p-4">
        <h2 className="text-sm text-fg-2">{t('Top codes')}</h2>
        {topCodes?.length === 0 ? (
          <p className="mt-3 text-sm text-fg-3">{t('No code has been used yet.')}</p>
        ) : (
          <ol className="mt-3 grid grid-cols-1 gap-2.5">
            {topCodes
              ? topCodes.map((code) => (
                  <TopCode key={code._id} code={code} most={Math.max(1, topCodes[0]?.usageCount ?? 1)} />
                ))
              : Array.from({ length: TOP_CODES }, (_, index) => <Skeleton key={index} className="h-5 w-full" />)}
          </ol>
        )}
      </section>
    </div>
  )
}

function TopCode({ code: { code, usageCount }, most }: { code: { code: string; usageCount: number }; most: number }) {
  return (
    <li className="flex items-center gap-3 text-sm">
      <span translate="no" className="w-32 truncate font-mono" title={code}>
        {code}
      </span>
      <ShareBar share={usageCount / most} className="flex-1" />
      <span className="tabular relative text-right font-medium">
        {formatCount(usageCount)}
        <span className="sr-only"> {t('used')}</span>
      </span>
    </li>
  )
}
