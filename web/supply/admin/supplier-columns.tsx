import { Trash2 } from 'lucide-react'
import type { SupplyFault, SupplyLink } from '../../../contract/supply.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { useFace } from '../../platform/calls/site.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { editing } from '../../ui/admin/lists/usual-actions.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Money } from '../../ui/money.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { Time } from '../../ui/time.tsx'
import { Comparison } from './comparison.tsx'
import { SupplierRemoval } from './supplier-removal.tsx'

type Toggle = (link: SupplyLink, on: boolean) => void

export function useLinkSwitch(): Toggle {
  const change = useCall('supply.changeLink', { onError: (error) => toast(errorMessage(error), { tone: 'bad' }) })
  return ({ _id: id }, on) => change.mutate({ id, on })
}

const FAULTS: Record<SupplyFault, () => string> = {
  address: () => t('Its address is not a public one.'),
  token: () => t('It doesn’t take this token.'),
  busy: () => t('It asks us to wait.'),
  silent: () => t('It does not answer.'),
  unreadable: () => t('We can’t read its answer.'),
  keys: () => t('It sent other keys than were ordered.'),
  removed: () => t('You removed this duration.'),
}
export const isFault = (why: string): why is SupplyFault => Object.hasOwn(FAULTS, why)
/** Why a supplier can’t be reached, or does not answer for an order. */
export const faultText = (fault: SupplyFault): string => FAULTS[fault]()

/** What a supplier with an API of its own lacks. */
export const withoutListText = (): string => t('No price list is read there, and nothing is compared.')

function troubleOf({ kind, pausedWhy, failing, tokenEndsAt, comparesFirst }: SupplyLink): string | undefined {
  if (pausedWhy === 'lost')
    return t('An order was not answered, and is never sent twice. Settle it under Orders, then turn it on.')
  if (pausedWhy === 'known-key') return t('It sent a key that you already have. Look at its orders, then turn it on.')
  if (pausedWhy === 'price') return t('It took more than your limit. Look at its orders, then turn it on.')
  if (pausedWhy === 'address') return faultText('address')
  if (pausedWhy === 'restored' && kind === 'http')
    return t('A backup was restored. Add the keys that you bought there since then, then turn it on.')
  if (pausedWhy === 'restored')
    return t('A backup was restored. Turn it on: what you bought there since then is compared first, and comes in.')
  if (failing) return faultText(failing)
  if (kind === 'http') return withoutListText()
  if (comparesFirst) return t('Comparing your purchases there first…')
  return tokenEndsAt ? undefined : t('Reading its list…')
}

function StateChip({ link: { on, pausedWhy, failing } }: { link: SupplyLink }) {
  if (pausedWhy) return <Chip tone="bad">{t('Paused')}</Chip>
  if (!on) return <Chip>{t('Off')}</Chip>
  return failing ? <Chip tone="warn">{t('Resting')}</Chip> : <Chip tone="ok">{t('On')}</Chip>
}

const todayText = ({ spentToday, dayMax }: SupplyLink) =>
  t('{spent} of {max} today', { spent: formatRupees(spentToday), max: formatRupees(dayMax) })

const speedText = ({ usualSeconds }: SupplyLink) =>
  usualSeconds !== undefined && t('Usually {seconds} s', { seconds: usualSeconds })

/** Why nothing comes from any supplier. */
export const demoText = (): string => t('This is a demo. It asks no supplier and buys nothing.')

const vainText = ({ vain }: SupplyLink) =>
  vain !== undefined && vain.count > 0 && t('{count} of {of} orders of buyers in vain', vain)

function Trouble({ link }: { link: SupplyLink }) {
  const { demo } = useFace()
  const trouble = demo && link.on ? demoText() : troubleOf(link)
  return trouble === undefined ? null : <p className="text-sm wrap-break-word text-fg-2">{trouble}</p>
}

export function linkColumns(toggle: Toggle): Column<SupplyLink>[] {
  return [
    {
      title: t('Supplier'),
      className: 'min-w-52',
      cell: (link) => (
        <>
          <span className="font-medium wrap-break-word">{link.name}</span>
          <span translate="no" className="block text-xs wrap-anywhere text-fg-3">
            {link.address}
          </span>
          <Trouble link={link} />
          <Comparison link={link} />
        </>
      ),
    },
    { title: t('Status'), card: 'state', cell: (link) => <StateChip link={link} /> },
    {
      title: t('Balance there'),
      align: 'right',
      card: 'figure',
      cell: ({ balance }) => balance !== undefined && <Money rupees={balance} />,
      small: ({ tokenEndsAt }) =>
        tokenEndsAt && (
          <span className="whitespace-nowrap">
            {t('Token ends')} <Time value={tokenEndsAt} format="date" />
          </span>
        ),
    },
    {
      title: t('Spent'),
      align: 'right',
      cell: (link) => (
        <>
          <span className="tabular whitespace-nowrap">{todayText(link)}</span>
          <span className="block text-xs text-fg-3">{speedText(link)}</span>
          <span className="block text-xs text-fg-3">{vainText(link)}</span>
        </>
      ),
    },
    {
      title: t('Buying'),
      card: 'aside',
      cell: (link, short) => (
        <Switch
          bare={!short}
          short={short}
          label={t('Buy from {supplier}', { supplier: link.name })}
          checked={link.on}
          denied={denied(calls.supply.changeLink)}
          onChange={(on) => toggle(link, on)}
        />
      ),
    },
  ]
}

export function linkFace(link: SupplyLink): RecordFace {
  const { name, address } = link
  return {
    name,
    caption: <span translate="no">{address}</span>,
    figureName: t('Balance there'),
    facts: [todayText(link), speedText(link), vainText(link)],
    children: (
      <>
        <Trouble link={link} />
        <Comparison link={link} />
      </>
    ),
  }
}

export function linkActions(link: SupplyLink, edit: () => void): Action[] {
  const { name } = link
  return [
    editing({ name: t('Edit {name}', { name }), denied: denied(calls.supply.changeLink), run: edit }),
    {
      label: t('Remove'),
      name: t('Remove {name}', { name }),
      icon: <Trash2 size={17} aria-hidden />,
      danger: true,
      denied: denied(calls.supply.changeLink),
      run: () => openDialog(SupplierRemoval, { link }),
    },
  ]
}
