import { useEffect } from 'react'
import { t } from '../../platform/i18n.ts'
import { Boundary } from '../../platform/navigation/boundary.tsx'
import { useLocation } from '../../platform/navigation/router.tsx'
import { toast } from '../../platform/navigation/toast.ts'
import { useStore } from '../../platform/store.ts'
import { closeDialog, openedDialogs } from './open-dialog.ts'

/** Shows the dialogs of `openDialog` until their page is left. The panel's frame has one, and the buyer's account. */
export function Dialogs() {
  const { pathname } = useLocation()
  const opened = useStore(openedDialogs).filter((each) => each.pathname === pathname)
  useEffect(() => () => forget(pathname), [pathname])
  return (
    <Boundary
      // The page under a dialog that breaks stays
      onError={(retry) => {
        forget(pathname)
        toast(t('Something went wrong. Please try again.'), { tone: 'bad' })
        retry()
      }}
    >
      {opened.map(({ turn, Dialog, props, isOpen }) => (
        <Dialog key={turn} {...props} open={isOpen} onClose={() => closeDialog(turn)} />
      ))}
    </Boundary>
  )
}

function forget(pathname: string): void {
  openedDialogs.set(openedDialogs.get().filter((each) => each.pathname !== pathname))
}
