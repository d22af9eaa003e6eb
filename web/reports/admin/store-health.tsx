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

/** Says in red what the nightly check found wrong, or what the store does not get done; nothing while all is well. */
export function StoreHealth() {
  const { data } = useHealthReport()
  if (!data || data.ok) return null
  const stuck = data.jobs.filter((job) => job.stuck)
  return (
    <section
      role="alert"
      aria-label={t('Store health')}
      className="mb-4 flex items-start gap-3 rounded-panel border border-bad/50 bg-bad/10 p-4 sm:p-5"
    >
      <TriangleAlert size={20} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="grid min-w-0 gap-1.5 text-sm">
        <h2 className="text-base font-semibold text-bad">{t('Your store needs attention')}</h2>
        {data.broken.length > 0 && (
          <p>
            {t('{count, plural, one {# problem found} other {# problems found}}:', { count: data.broken.length })}{' '}
            <span className="wrap-anywhere">{data.broken.map((text) => faultText(data, text)).join(' ')}</span>
            {data.checkedAt && <> {textWith('Last checked {date}.', { date: <Time value={data.checkedAt} /> })}</>}
          </p>
        )}
        {data.isOld && <p>{t('The nightly check hasn’t run for more than 2 days.')}</p>}
        {stuck.map(({ name, failures, nextAt, error }) => (
          <p key={name} className="wrap-anywhere">
            {failures === 0
              ? textWith('“{name}” is overdue since {date}.', { name: jobText(name), date: <Time value={nextAt} /> })
              : textWith(
                  '“{name}” has failed {count, plural, one {once} other {# times in a row}}. It is overdue since ' +
                    '{date}.',
                  { name: jobText(name), count: failures, date: <Time value={nextAt} /> },
                )}
            {error && ` ${error}`}
          </p>
        ))}
        <p className="text-fg-2">
          {textWith('Run {command} on the server to see details.', {
            command: <code className="font-mono">{data.doctor}</code>,
          })}
        </p>
      </div>
    </section>
  )
}
