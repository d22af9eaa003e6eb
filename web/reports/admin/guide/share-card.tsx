import { useQuery } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { referralCodes } from '../../../../contract/panel-pages.ts'
import { useShareCode } from '../../../referrals/admin/share-code.ts'
import { panelQuery } from '../../../platform/admin/panel-query.ts'
import { useFace } from '../../../platform/calls/site.ts'
import { own, t } from '../../../platform/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { goToCard } from './first-run-at.ts'

const SHARE_IMAGE = '/share.jpg'

/** The end of the first run: the sign-up link as WhatsApp shows it, and the way to send it. */
export function ShareCard({ isMade, onEnd }: { isMade: boolean; onEnd: () => void }) {
  const site = useFace()
  const codes = useQuery({ ...panelQuery(referralCodes), enabled: isMade })
  const code = codes.data?.find(({ isActive, maxUsage, usageCount }) => isActive && usageCount < (maxUsage ?? Infinity))
  const { share } = useShareCode()
  return (
    <>
      <figure className="w-full max-w-80 overflow-hidden rounded-card border border-line-2 bg-sunken">
        <img src={site.shareImage ?? SHARE_IMAGE} width={1200} height={630} alt="" className="h-auto w-full" />
        <figcaption className="grid gap-0.5 p-3 text-sm">
          <span className="font-semibold wrap-anywhere">{t(own(site, 'websiteTitle'))}</span>
          <span translate="no" className="text-fg-3 wrap-anywhere">
            {location.host}
          </span>
        </figcaption>
      </figure>
      <div className="flex flex-wrap gap-2">
        {isMade ? (
          <Button
            icon={<Share2 size={17} aria-hidden />}
            disabled={!code}
            data-autofocus
            onClick={() => code && share(code)}
          >
            {t('Share')}
          </Button>
        ) : (
          <Button onClick={() => goToCard('referralCode')}>{t('Create a referral code')}</Button>
        )}
        <Button variant="ghost" onClick={onEnd}>
          {t('Open dashboard')}
        </Button>
      </div>
    </>
  )
}
