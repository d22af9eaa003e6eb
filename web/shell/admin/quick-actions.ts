/** Dialogs that the quick search opens over any page. */
import { lazyPart } from '../../ui/page/lazy-part.tsx'

export const ProductDialog = lazyPart(() =>
  import('../../catalogue/admin/product-dialog.tsx').then((file) => file.ProductDialog),
)
export const KeyImportDialog = lazyPart(() =>
  import('../../keys/admin/import/key-import-dialog.tsx').then((file) => file.KeyImportDialog),
)
export const ReferralDialog = lazyPart(() =>
  import('../../referrals/admin/referral-dialog.tsx').then((file) => file.ReferralDialog),
)
export const PlanDialog = lazyPart(() =>
  import('../../payments/admin/plans/plan-dialog.tsx').then((file) => file.PlanDialog),
)
export const UploadDialog = lazyPart(() =>
  import('../../bank/admin/upload/upload-dialog.tsx').then((file) => file.UploadDialog),
)
