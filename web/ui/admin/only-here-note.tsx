import { isOnlyHere } from '../../platform/admin/only-here.ts'
import { t } from '../../platform/i18n.ts'

/** Beside a link of the store's own address: a warning where it opens on this computer only. */
export function OnlyHereNote() {
  if (!isOnlyHere()) return null
  return (
    <p role="note" className="text-sm text-warn">
      {t('Nobody else can open this link: {host} is this computer. Open the panel at your public address first.', {
        host: location.hostname,
      })}
    </p>
  )
}
