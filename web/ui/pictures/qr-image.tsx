import type { QrCode } from './qr-code.ts'

interface QrImageProps {
  qr: QrCode
  /** Names the picture to screen readers: "QR code to pay ₹500 to shop@upi". */
  label: string
  sizePx: number
  className: string
}

/** Draws a QR code, always black on white, because scanners need that contrast in the dark theme too. */
export function QrImage({ qr, label, sizePx, className }: QrImageProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${qr.size} ${qr.size}`}
      width={sizePx}
      height={sizePx}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={qr.path} fill="#000" />
    </svg>
  )
}
