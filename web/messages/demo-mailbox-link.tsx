import { t } from '../platform/i18n.ts'
import { useFace } from '../platform/calls/site.ts'

/** In the demo, where its mails can be read. */
export function DemoMailboxLink() {
  if (!useFace().demo) return null
  return (
    <a
      href="/demo-mailbox"
      className="inline-flex min-h-11 items-center text-sm font-semibold text-brand hover:underline"
    >
      {t('Open the demo’s mailbox')}
    </a>
  )
}
