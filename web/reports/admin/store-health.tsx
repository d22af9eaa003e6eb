import { TriangleAlert } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'
import { jobText } from './job-words.ts'
import { useHealthReport } from './report-queries.ts'

/** Says what a check has found. */
function faultText(report: ReturnType<typeof useHealthReport>['data'], text: string): string {
  const said = report?.says?.[text]
  return said ? t(said.text, said.values) : t(text)
}

/** What to look at some day, folded: the first is named, so that one is read without a press. */
export function StoreWarnings() {
  const { data } = useHealthReport()
  const [first, ...others] = data?.warnings ?? []
  if (first === undefined) return null
  return (
    <section
      aria-label={t('Warnings')}
      className="grid gap-1 rounded-card border border-warn/30 bg-warn/8 px-4 py-3 text-sm wrap-anywhere text-warn"
    >
      <p>{faultText(data, first)}</p>
      {others.length > 0 && (
        <details>
          <summary className="min-h-11 cursor-pointer content-center font-semibold">
            {t('{count, plural, one {# more warning} other {# more warnings}}', { count: others.length })}
          </summary>
          <ul className="grid gap-1.5">
            {others.map((text) => (
              <li key={text}>{faultText(data, text)}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

type Report = NonNullable<ReturnType<typeof useHealthReport>['data']>

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

/** For who looks after the server. */
function Details({ report }: { report: Report }) {
  const stuck = report.jobs.filter((job) => job.stuck)
  return (
    <details>
      <summary className="min-h-11 cursor-pointer content-center font-semibold">{t('Details')}</summary>
      <ul className="grid gap-1.5 wrap-anywhere">
        {report.broken.map((text) => (
          <li key={text}>{faultText(report, text)}</li>
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
            {error && ` ${error}`}
          </li>
        ))}
        {report.checkedAt && (
          <li className="text-fg-2">{textWith('Last checked {date}.', { date: <Time value={report.checkedAt} /> })}</li>
        )}
        <li className="text-fg-2 max-sm:hidden">
          {textWith('Run {command} on the server to see details.', {
            command: (
              <code translate="no" className="font-mono">
                {report.doctor}
              </code>
            ),
          })}
        </li>
      </ul>
    </details>
  )
}
