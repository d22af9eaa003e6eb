import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { useRest } from './use-rest.ts'

interface WeightyButtonProps extends ComponentProps<typeof Button> {
  /** What it does, and where it stands, if either changes while it is shown. */
  does?: string
}

/**
 * A button that moves money or deletes. It takes no press for a second after it has come or changed: the second of two
 * quick presses was meant for what stood there before. A key has no place, so it waits for changes alone.
 */
export function WeightyButton({ does = '', onClick, ...button }: WeightyButtonProps) {
  const isResting = useRest(does, true)
  const isChanged = useRest(does)
  return (
    <Button
      {...button}
      data-weighty
      {...(isResting && { 'aria-disabled': true })}
      onClick={(event) => {
        if (event.detail > 0 ? isResting : isChanged) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
