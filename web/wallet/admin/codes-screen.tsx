import { Plus, QrCode } from 'lucide-react'
import { codeBatches } from '../../../contract/panel-pages.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { loadWords } from '../../platform/catalogues.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { HOUR_MS } from '../../../contract/time.ts'
import { Nothing } from '../../ui/admin/lists/nothing.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { actionsOf, columnsOf, faceOf } from './code-columns.tsx'

const MakeCodesDialog = lazyPart(() => import('./make-codes-dialog.tsx').then((file) => file.MakeCodesDialog))

/** With its words, which no other screen needs. */
export const loadCodes = () => loadWords('-codes').then(() => CodesScreen)

/** The batches of redeem codes. No code of them is shown again. */
function CodesScreen() {
  const batches = usePanel(codeBatches)
  const list = useListSearch('/admin/codes')
  const now = useNow(HOUR_MS)
  const make = (
    <Button
      icon={<Plus size={17} aria-hidden />}
      denied={denied(calls.wallet.makeCodes)}
      onClick={() => openDialog(MakeCodesDialog, {})}
    >
      {t('Make codes')}
    </Button>
  )
  return (
    <RecordList
      title={t('Codes')}
      heading={t('Redeem codes')}
      count={batches.data?.length}
      actions={make}
      isEmpty={batches.data?.length === 0}
      list={list}
      query={batches}
      rows={batches.data}
      columns={columnsOf(now)}
      face={faceOf}
      actionsOf={(batch) => actionsOf(batch, now)}
      empty={
        <Nothing
          icon={<QrCode size={22} />}
          first={{
            title: t('No redeem codes yet'),
            text: t('Give credit away, or sell it at a counter: each code adds its amount to one wallet.'),
            action: make,
          }}
          none={{ search: '', title: '', showAll: '', onShowAll: list.clear }}
        />
      }
    />
  )
}
