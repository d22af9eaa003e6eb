import type { ReferralCode } from '../../../contract/referrals.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { useShareLink } from '../../ui/admin/share-link.tsx'

type Code = Pick<ReferralCode, 'code' | 'rewardAmount'>

/** Shares the sign-up page with a code filled in. */
export function useShareCode() {
  const { site, share, show } = useShareLink()
  const linkOf = ({ code, rewardAmount }: Code) => ({
    path: `/signup?ref=${encodeURIComponent(code)}`,
    text:
      rewardAmount > 0
        ? t('Get {amount} in your wallet at {site}. Licence keys in seconds, paid by UPI. Sign up here:', {
            amount: formatRupees(rewardAmount),
            site,
          })
        : t('Licence keys in seconds at {site}, paid by UPI. Sign up here:', { site }),
    title: t('Sign-up link'),
    description: t('Code {code} is filled in already.', { code }),
    qrLabel: t('QR code of the sign-up link'),
  })
  return {
    share: (code: Code) => share(linkOf(code)),
    ...(show && { show: (code: Code) => show(linkOf(code)) }),
  }
}
