import { PackageOpen } from 'lucide-react'
import { t } from '../platform/i18n.ts'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { SupportLink } from '../ui/page/support-link.tsx'

export function NoProducts() {
  return (
    <EmptyState
      icon={<PackageOpen size={22} />}
      title={t('No products yet')}
      text={t('We’re adding products. Please check back soon.')}
      action={
        <SupportLink className="inline-flex min-h-11 items-center font-semibold text-brand hover:underline">
          {t('Contact support')}
        </SupportLink>
      }
    />
  )
}
