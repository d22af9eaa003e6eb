import { useState, type ComponentProps } from 'react'
import { openDialogs } from '../../platform/navigation/open-dialogs.ts'
import { useStore } from '../../platform/store.ts'
import { Button } from './button.tsx'
import { useRest } from './use-rest.ts'

interface WeightyButtonProps extends ComponentProps<typeof Button> {
  /** What it does, and where it stands, if either changes while it is shown. */
  does?: string
  /** True while it takes no press for another reason. */
  rests?: boolean
}

/**
 * A button that moves money or deletes. It takes no press for a second after it has come or changed, or a dialog has
 * closed: the second of two quick presses was meant for what stood there before. A key has no place, so it waits for
 * changes alone.
 */
export function WeightyButton({ does = '', rests = false, onClick, ...button }: WeightyButtonProps) {
  const isNew = useRest(`${does} ${useStore(openDialogs).length}`, true)
  const isResting = isNew || rests
  const isChanged = useRest(does)
  const [isRefused, setRefused] = useState(false)
  if (isRefused && !isResting) setRefused(false)
  return (
    <Button
      {...button}
      data-weighty
      // It looks live until it refuses a press: grey before that reads as forbidden
      {...(isResting && { 'aria-disabled': true, 'data-rests': !isRefused })}
      onClick={(event) => {
        const isHeld = event.detail > 0 ? isResting : isChanged
        setRefused(isHeld)
        if (isHeld) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
