import { RefreshCw } from 'lucide-react'
import { useCall } from '../../../platform/calls/use-call.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { useSite } from '../../../platform/calls/site.ts'
import { useUpi } from '../../../settings/use-upi.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { FormError } from '../../../ui/fields/form-error.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { Row } from '../../../ui/page/row.tsx'
import { NoticeForm, useNotice } from './notice-form.tsx'
import { SiteForm } from './site-form.tsx'
import { UpiForm } from './upi-form.tsx'

/** The ids of rows to which a link can lead. */
export const SITE_ROW = 'website-name'
export const UPI_ROW = 'upi-id'

/** Notice, name and title, where buyers pay, and the forced refresh: one line each, which opens in place. */
export function SettingsRows() {
  const { data: notice } = useNotice()
  const { websiteName } = useSite()
  const { data: upi } = useUpi()
  return (
    <Panel aria-label={t('Store settings')} className="py-1! sm:py-2!">
      <div className="divide-y divide-line">
        <Row label={t('Notice')} value={notice && (notice.text || t('None'))}>
          <NoticeForm />
        </Row>
        <Row id={SITE_ROW} label={t('Website name and title')} value={websiteName}>
          <SiteForm />
        </Row>
        <Row id={UPI_ROW} label={t('UPI ID')} value={upi && <Address upiId={upi.upiId} />}>
          <UpiForm />
        </Row>
        <Refresh />
      </div>
    </Panel>
  )
}

const Address = ({ upiId }: { upiId: string }) => <span translate="no">{upiId || t('None')}</span>

function Refresh() {
  const refresh = useCall('settings.refreshVersion')
  return (
    <div className="py-2.5">
      <div className="flex items-center justify-between gap-4 large-text:flex-wrap">
        <div className="min-w-0">
          <p className="font-medium">{t('Refresh all user sites')}</p>
          <p className="text-xs text-fg-3">{t('Reloads every page buyers have open.')}</p>
        </div>
        <Button
          size="sm"
          variant="secondary"
          className="shrink-0 max-wide:min-h-11"
          icon={<RefreshCw size={16} aria-hidden />}
          pending={refresh.isPending}
          denied={denied(calls.settings.refreshVersion)}
          onClick={() => refresh.mutate()}
        >
          {t('Force refresh')}
        </Button>
      </div>
      <output className="block py-1 text-sm text-ok empty:hidden">
        {refresh.isSuccess && t('All user sites will refresh within 1 minute.')}
      </output>
      <div className="empty:hidden">
        {refresh.error && <FormError>{t('Failed to trigger refresh. Try again.')}</FormError>}
      </div>
    </div>
  )
}
