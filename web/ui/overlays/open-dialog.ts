import type { ComponentType } from 'react'
import { shown } from '../../platform/navigation/navigation.ts'
import { createStore } from '../../platform/store.ts'

/** What the host gives a dialog. */
export interface DialogProps {
  open: boolean
  onClose: () => void
}

interface OpenedDialog {
  turn: number
  /** The page that it belongs to. */
  pathname: string
  Dialog: ComponentType<DialogProps>
  props: object
  isOpen: boolean
}

/** The open dialogs, at most one of a kind. A closed one stays while it moves out and its calls end. */
export const openedDialogs = createStore<readonly OpenedDialog[]>([])
let turns = 0

/** Opens a dialog over the page, each time from its start: `openDialog(PlanDialog, { plan })` */
export function openDialog<Props extends DialogProps>(
  Dialog: ComponentType<Props>,
  props: Omit<Props, keyof DialogProps>,
): void {
  const kind = Dialog as ComponentType<DialogProps>
  const others = openedDialogs.get().filter((each) => each.Dialog !== kind)
  const pathname = shown.get()?.location.pathname ?? ''
  turns++
  openedDialogs.set([...others, { turn: turns, pathname, Dialog: kind, props, isOpen: true }])
}

export function closeDialog(turn: number): void {
  openedDialogs.set(openedDialogs.get().map((each) => (each.turn === turn ? { ...each, isOpen: false } : each)))
}
