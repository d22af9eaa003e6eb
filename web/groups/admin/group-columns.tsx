import type { BuyerGroup } from '../../../contract/groups.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { deleting, editing } from '../../ui/admin/lists/usual-actions.tsx'
import { Money } from '../../ui/money.tsx'

export const groupColumns = (): Column<BuyerGroup>[] => [
  {
    title: t('Group'),
    className: 'min-w-52',
    cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
  },
  { title: t('Price'), cell: (group) => <span className="text-fg-2">{offText(group)}</span> },
  { title: t('Buyers'), cell: (group) => <Members group={group} /> },
  { title: t('Bought in 90 days'), align: 'right', card: 'figure', cell: ({ sold90 }) => <Money rupees={sold90} /> },
]

export const groupFace = (group: BuyerGroup): RecordFace => ({
  name: group.name,
  caption: offText(group),
  figureName: t('Bought in 90 days'),
  facts: [<Members key="members" group={group} />],
})

export const groupActions = ({ name }: BuyerGroup, run: { edit: () => void; remove: () => void }): Action[] => [
  editing({ name: t('Edit {name}', { name }), denied: denied(calls.groups.update), run: run.edit }),
  deleting({ name: t('Remove {name}', { name }), denied: denied(calls.groups.remove), run: run.remove }),
]

function offText({ percentOff, fromSpent, prices }: BuyerGroup): string {
  const parts = [
    ...(percentOff > 0 || prices.length === 0 ? [t('{percent}% off', { percent: percentOff })] : []),
    ...(prices.length > 0
      ? [t('{count, plural, one {# exception} other {# exceptions}}', { count: prices.length })]
      : []),
    ...(fromSpent === null ? [] : [t('from {amount}', { amount: formatRupees(fromSpent) })]),
  ]
  return parts.join(' · ')
}

function Members({ group: { _id, members } }: { group: BuyerGroup }) {
  return (
    <AllowedLink
      call={calls.users.list}
      to="/admin/user-manager"
      search={{ group: _id }}
      className="tabular"
      linkClassName="underline hover:text-fg"
    >
      {t('{count, plural, one {# buyer} other {# buyers}}', { count: members })}
    </AllowedLink>
  )
}
