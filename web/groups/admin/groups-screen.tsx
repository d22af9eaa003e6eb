import { Percent, Plus } from 'lucide-react'
import type { BuyerGroup } from '../../../contract/groups.ts'
import { buyerGroups } from '../../../contract/panel-pages.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { loadWords } from '../../platform/catalogues.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { DeleteDialog } from '../../ui/admin/forms/delete-dialog.tsx'
import { Nothing } from '../../ui/admin/lists/nothing.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { openDialog, type DialogProps } from '../../ui/overlays/open-dialog.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { groupActions, groupColumns, groupFace } from './group-columns.tsx'

const GroupDialog = lazyPart(() => import('./group-dialog.tsx').then((file) => file.GroupDialog))

/** With its words, which no other screen needs. */
export const loadGroups = () => loadWords('-groups').then(() => GroupsScreen)

/** The groups of buyers, and what each is worth. */
function GroupsScreen() {
  const groups = usePanel(buyerGroups)
  const list = useListSearch('/admin/groups')
  const create = (
    <Button
      icon={<Plus size={17} aria-hidden />}
      denied={denied(calls.groups.create)}
      onClick={() => openDialog(GroupDialog, {})}
    >
      {t('Make a group')}
    </Button>
  )
  return (
    <RecordList
      title={t('Buyer groups')}
      count={groups.data?.length}
      actions={create}
      isEmpty={groups.data?.length === 0}
      list={list}
      query={groups}
      rows={groups.data}
      columns={groupColumns()}
      face={groupFace}
      actionsOf={(group) =>
        groupActions(group, {
          edit: () => openDialog(GroupDialog, { group }),
          remove: () => openDialog(GroupRemoval, { group }),
        })
      }
      empty={
        <Nothing
          icon={<Percent size={22} />}
          first={{
            title: t('No buyer groups yet'),
            text: t('Give regular buyers better prices. They see them as soon as they log in.'),
            action: create,
          }}
          none={{ search: '', title: '', showAll: '', onShowAll: list.clear }}
        />
      }
    />
  )
}

function GroupRemoval({ group: { _id: id, name, members }, ...dialog }: DialogProps & { group: BuyerGroup }) {
  const remove = useCall('groups.remove')
  return (
    <DeleteDialog
      {...dialog}
      title={t('Remove {name}?', { name })}
      confirmLabel={t('Remove')}
      action={async () => {
        await remove.mutateAsync({ id, expected: members })
        toast(t('{name} removed', { name }))
      }}
    >
      <p>
        {t('{count, plural, one {# buyer pays} other {# buyers pay}} as everybody does from then on.', {
          count: members,
        })}
      </p>
    </DeleteDialog>
  )
}
