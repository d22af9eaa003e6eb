import { useQuery } from '@tanstack/react-query'
import { client } from '../platform/calls/client.ts'
import { usePollInterval } from '../platform/calls/events.ts'
import { own, t } from '../platform/i18n.ts'

const POLL_INTERVAL_MS = 30_000

/** Shows the admin's notice, or nothing without one. */
export function NoticeBanner() {
  const notice = useQuery({
    queryKey: ['settings', 'notice'],
    queryFn: ({ signal }) => client.settings.notice({}, { signal }),
    staleTime: Infinity,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  })
  const text = notice.data && own({ notice: notice.data.text, ...notice.data }, 'notice').trim()
  if (!text) return null
  return (
    <aside
      aria-label={t('Notice')}
      className="flex gap-3 rounded-card border border-info/25 large-text:flex-wrap bg-info/8 px-4 py-3 text-sm"
    >
      <p className="shrink-0 font-semibold text-info">{t('Notice')}</p>
      <p className="min-w-0 whitespace-pre-line text-fg-2 wrap-break-word">{text}</p>
    </aside>
  )
}
