import { askFor } from '../../../contract/panel-pages.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Time } from '../../ui/time.tsx'
import { STATUS_TONES, statusText } from '../claim-words.ts'

const WHY: Readonly<Record<string, () => string>> = {
  settled: () => t('They have answered for this key already.'),
  late: () => t('Their time for reports is over.'),
  many: () => t('They take no more reports from you until one is answered.'),
  token: () => t('It doesn’t take this token.'),
}
const whyText = (why: string): string => WHY[why]?.() ?? t('It did not answer. Try again.')

/** The supplier that sold the key, and what became of the claim there. Nothing for a key that came otherwise. */
export function SupplierReport({ id }: { id: string }) {
  const found = usePanel(askFor('supply', 'claimThere', { id }))
  const report = useCall('supply.reportThere')
  const there = found.data?.there
  if (!there) return null
  const { supplier, order, reported } = there
  const why = report.data?.why
  return (
    <div className="grid gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <span className="wrap-anywhere">{t('From {supplier}, {order}.', { supplier, order })}</span>
        {reported ? (
          <>
            <span>{t('Reported there as {number}', { number: reported.number })}</span>
            <Chip tone={STATUS_TONES[reported.status]}>{statusText(reported.status)}</Chip>
            {reported.refunded !== undefined && <span className="tabular">{formatRupees(reported.refunded)}</span>}
            <Time value={reported.at} className="text-fg-3" />
          </>
        ) : (
          <Button
            size="sm"
            variant="secondary"
            pending={report.isPending}
            denied={denied(calls.supply.reportThere)}
            onClick={() => report.mutate({ id })}
          >
            {t('Report it there')}
          </Button>
        )}
      </div>
      {why !== undefined && <FormError>{whyText(why)}</FormError>}
      {report.isError && <FormError>{errorMessage(report.error)}</FormError>}
    </div>
  )
}
