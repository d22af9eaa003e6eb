import { useEffect, useState } from 'react'
import { t } from '../../platform/i18n.ts'
import { useLocation } from '../../platform/navigation/router.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'

const RedeemCode = lazyPart(() => import('./redeem-code.tsx').then((file) => file.RedeemCode))

const codeIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('code') ?? ''

/** A quiet way to a redeem code. A link with one (`#code=…`) opens it filled in. */
export function HaveACode() {
  const { hash } = useLocation()
  const [known, setKnown] = useState('')
  const [sheet, setSheet] = useState({ turn: 0, code: '', isOpen: false })
  const open = (code: string) => setSheet(({ turn }) => ({ turn: turn + 1, code, isOpen: true }))
  if (hash !== known) {
    setKnown(hash)
    if (codeIn(hash)) open(codeIn(hash))
  }
  useEffect(() => {
    // Not left in the address, which is copied, or kept by the browser
    if (codeIn(hash)) history.replaceState(history.state, '', location.pathname + location.search)
  }, [hash])
  return (
    <>
      <Button variant="ghost" onClick={() => open('')}>
        {t('Have a code?')}
      </Button>
      {sheet.turn > 0 && (
        <RedeemCode
          key={sheet.turn}
          open={sheet.isOpen}
          code={sheet.code}
          onClose={() => setSheet((shown) => ({ ...shown, isOpen: false }))}
        />
      )}
    </>
  )
}
