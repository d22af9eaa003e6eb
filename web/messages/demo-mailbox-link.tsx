import { t } from '../platform/i18n.ts'
import { useFace } from '../platform/calls/site.ts'
import { buttonClass } from '../ui/buttons/button.tsx'

/** In the demo, where its mails can be read. */
export function DemoMailboxLink() {
  if (!useFace().demo) return null
  return (
    <a href="/demo-mailbox" className={buttonClass({ variant: 'secondary', size: 'sm' }, 'w-fit')}>
      {t('Open the demo’s mailbox')}
    </a>
  )
}
