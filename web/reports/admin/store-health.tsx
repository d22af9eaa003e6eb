import type { ReactNode } from 'react'
import { ChevronDown, TriangleAlert } from 'lucide-react'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { BACKUP_SECTION } from '../../ui/admin/forms/settings-form.tsx'
import { NEED_WORDS } from '../../ui/admin/need.ts'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { cx } from '../../ui/cx.ts'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'
import { jobText } from './job-words.ts'
import { useHealthReport } from './report-queries.ts'

type Report = NonNullable<ReturnType<typeof useHealthReport>['data']>

/** What a check has found, with what an owner can do here. What is done on the server is folded. */
function Fault({ report: { says, hows }, text, className }: { report: Report; text: string; className?: string }) {
  const { text: said, values } = says?.[text] ?? { text }
  const how = hows?.[text]
  return (
    <>
      <p className={className}>{t(said, values)}</p>
      <div className="ml-auto flex flex-wrap items-start gap-x-4 empty:hidden">
        {/backup/i.test(said) && !denied(calls.backup.download) && (
          <Link
            to="/admin/settings"
            hash={BACKUP_SECTION}
            className={buttonClass({ size: 'sm', variant: 'secondary' }, 'my-1 w-fit')}
          >
            {t('Back up now')}
          </Link>
        )}
        {how && <How>{t(how.text, how.values)}</How>}
      </div>
    </>
  )
}

function Summary({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <summary className={cx('flex min-h-11 w-fit cursor-pointer list-none items-center gap-1.5', className)}>
      {children}
      <ChevronDown size={16} aria-hidden className="shrink-0 transition-transform [[open]>summary>&]:rotate-180" />
    </summary>
  )
}

/** For the person who looks after the server. No other text names commands or files (scripts/check-catalogues.mjs). */
function How({ children }: { children: ReactNode }) {
  return (
    <details className="text-fg-2">
      <Summary>{t('How?')}</Summary>
      <p className="text-xs whitespace-pre-line">{children}</p>
    </details>
  )
}

/** What to look at some day, folded: the first is named, so that one is read without a press. */
export function StoreWarnings() {
  const { data } = useHealthReport()
  const [first, ...others] = data?.warnings ?? []
  if (data === undefined || first === undefined) return null
  return (
    <section aria-label={t('Warnings')} className="px-4 py-2 text-sm wrap-anywhere">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3">
        <TriangleAlert size={18} aria-hidden className="shrink-0 text-warn" />
        <Fault report={data} text={first} className={NEED_WORDS} />
      </div>
      {others.length > 0 && (
        <details>
          <Summary className="font-semibold">
            {t('{count, plural, one {# more warning} other {# more warnings}}', { count: others.length })}
          </Summary>
          <ul className="grid gap-1.5">
            {others.map((text) => (
              <li key={text}>
                <Fault report={data} text={text} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

/** What is wrong, in one sentence: the worst, where there is more than one kind. */
function sentence({ broken, isOld, jobs }: Report): string {
  if (broken.length > 0)
    return t('{count, plural, one {A check found a problem.} other {A check found # problems.}}', {
      count: broken.length,
    })
  if (isOld) return t('The nightly check hasn’t run for more than 2 days.')
  const late = jobs.filter((job) => job.stuck).length
  return t(
    '{count, plural, one {One task of the store doesn’t get done.} other {# tasks of the store don’t get done.}}',
    {
      count: late,
    },
  )
}

/** Says in red what the nightly check found wrong, or what the store does not get done; nothing while all is well. */
export function StoreHealth() {
  const { data } = useHealthReport()
  if (!data || data.ok) return null
  return (
    <section
      role="alert"
      aria-label={t('Store health')}
      className="mb-4 flex items-start gap-3 rounded-panel border border-bad/50 bg-bad/10 p-4 sm:p-5"
    >
      <TriangleAlert size={20} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="grid min-w-0 flex-1 gap-1 text-sm">
        <h2 className="text-base font-semibold text-bad">{t('Your store needs attention')}</h2>
        <p>{sentence(data)}</p>
        <Details report={data} />
      </div>
    </section>
  )
}

function Details({ report }: { report: Report }) {
  const stuck = report.jobs.filter((job) => job.stuck)
  return (
    <details>
      <Summary className="font-semibold">{t('Details')}</Summary>
      <ul className="grid gap-1.5 wrap-anywhere">
        {report.broken.map((text) => (
          <li key={text}>
            <Fault report={report} text={text} />
          </li>
        ))}
        {stuck.map(({ name, failures, nextAt, error }) => (
          <li key={name}>
            {failures === 0
              ? textWith('“{name}” is overdue since {date}.', { name: jobText(name), date: <Time value={nextAt} /> })
              : textWith(
                  '“{name}” has failed {count, plural, one {once} other {# times in a row}}. It is overdue since ' +
                    '{date}.',
                  { name: jobText(name), count: failures, date: <Time value={nextAt} /> },
                )}
            {error && <How>{error}</How>}
          </li>
        ))}
        {report.checkedAt && (
          <li className="text-fg-2">{textWith('Last checked {date}.', { date: <Time value={report.checkedAt} /> })}</li>
        )}
        <li className="text-fg-2">
          <How>
            {textWith('Run {command} on the server to see details.', {
              command: (
                <code translate="no" className="font-mono">
                  {report.doctor}
                </code>
              ),
            })}
          </How>
        </li>
      </ul>
    </details>
  )
}
