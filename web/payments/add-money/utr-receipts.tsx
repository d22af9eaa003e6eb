import { t } from '../../platform/i18n.ts'

interface Receipt {
  app: () => string
  place: () => string
  /** What the app calls the number, in its own words. */
  label: string
  /** Lines above the number's. */
  above: number
  /** Lines under it. */
  below: number
  /** True if the amount stands in the middle of the page, false for the left. */
  centred: boolean
}

const RECEIPTS: readonly Receipt[] = [
  {
    app: () => 'Google Pay',
    place: () => t('Open the payment > “UPI transaction ID”'),
    label: 'UPI transaction ID',
    above: 1,
    below: 2,
    centred: true,
  },
  {
    app: () => 'PhonePe',
    place: () => t('History > open the payment > “View details” > “UTR”'),
    label: 'UTR',
    above: 3,
    below: 0,
    centred: false,
  },
  {
    app: () => 'Paytm',
    place: () => t('Balance & History > open the payment > “UPI Ref No”'),
    label: 'UPI Ref No',
    above: 2,
    below: 1,
    centred: false,
  },
  {
    app: () => 'BHIM',
    place: () => t('Transaction history > open the payment > “RRN” or “Transaction ID”'),
    label: 'RRN',
    above: 0,
    below: 3,
    centred: true,
  },
  {
    app: () => t('Bank apps'),
    place: () => t('Payment details > “UTR”, “RRN” or “Reference number”'),
    label: 'Reference number',
    above: 2,
    below: 0,
    centred: false,
  },
]

const STRIP = 'overflow-x-auto rounded-control border border-line bg-sunken p-3'

/** Shows where UPI apps put the number, in drawings of our own. */
export function UtrReceipts() {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard too, so it takes focus
    <section tabIndex={0} aria-label={t('Where apps show the UTR')} className={STRIP}>
      <ul className="flex gap-3">
        {RECEIPTS.map((receipt) => (
          <li key={receipt.label} className="grid w-32 shrink-0 content-start gap-1 text-xs">
            <Drawing {...receipt} />
            <span className="font-semibold text-fg">{receipt.app()}</span>
            {receipt.place()}
          </li>
        ))}
      </ul>
    </section>
  )
}

const WIDTH = 128
const HEIGHT = 168
const LEFT = 14
const LINE = 15
const FIRST_LINE = 78

/** Draws a payment's page: a tick, the amount, grey lines, and the number with a ring around it. */
function Drawing({ label, above, below, centred }: Receipt) {
  const middle = centred ? WIDTH / 2 : LEFT + 11
  const at = FIRST_LINE + above * LINE
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden className="w-full">
      <rect x="1" y="1" width={WIDTH - 2} height={HEIGHT - 2} rx="12" className="fill-surface stroke-line-2" />
      <circle cx={middle} cy="28" r="11" className="fill-ok/20" />
      <path d={`m${middle - 5} 28 4 4 7-8`} fill="none" strokeWidth="2" className="stroke-ok" />
      <text
        x={centred ? middle : LEFT}
        y="58"
        textAnchor={centred ? 'middle' : 'start'}
        fontSize="14"
        fontWeight="600"
        className="fill-fg"
      >
        ₹500
      </text>
      <Lines from={FIRST_LINE - 8} count={above} />
      <rect
        x="6"
        y={at - 10}
        width={WIDTH - 12}
        height="34"
        rx="17"
        strokeWidth="2"
        className="fill-brand-bg stroke-brand"
      />
      <text x={LEFT} y={at + 3} fontSize="9" className="fill-fg-2">
        {label}
      </text>
      <text x={LEFT} y={at + 17} fontSize="11" fontWeight="600" className="fill-fg font-mono">
        412345678901
      </text>
      <Lines from={at + 32} count={below} />
    </svg>
  )
}

function Lines({ from, count }: { from: number; count: number }) {
  return Array.from({ length: count }, (_, line) => (
    <rect
      key={line}
      x={LEFT}
      y={from + line * LINE}
      width={line % 2 === 0 ? 82 : 60}
      height="5"
      rx="2.5"
      className="fill-line-2"
    />
  ))
}
