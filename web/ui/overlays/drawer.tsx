import type { ReactNode } from 'react'
import { Modal } from './modal.tsx'

interface DrawerProps {
  open: boolean
  onClose: () => void
  side?: 'left' | 'right'
  /** Name for screen readers. */
  label: string
  children: ReactNode
}

/** Slides in 320 px from the edge of the screen. `<Drawer open onClose side label>` */
export function Drawer({ open, onClose, side = 'right', label, children }: DrawerProps) {
  return (
    <Modal open={open} onClose={onClose} label={label} className="drawer" data={{ 'data-side': side }}>
      {children}
    </Modal>
  )
}
