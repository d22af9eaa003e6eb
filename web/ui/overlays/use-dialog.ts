import { useState } from 'react'

/**
 * Controls a dialog about one thing. It keeps the thing while it moves out, and starts over each time it is shown.
 *
 *   const editor = useDialog<{ plan?: Plan }>()
 *   <Button onClick={() => editor.show({})}>New plan</Button>
 *   {editor.target && <PlanDialog key={editor.turn} open={editor.open} {...editor.target} onClose={editor.close} />}
 */
export function useDialog<T>() {
  const [state, setState] = useState<{ open: boolean; target?: T; turn: number }>({ open: false, turn: 0 })
  return {
    ...state,
    show: (target: T) => setState(({ turn }) => ({ open: true, target, turn: turn + 1 })),
    close: () => setState((present) => ({ ...present, open: false })),
  }
}
