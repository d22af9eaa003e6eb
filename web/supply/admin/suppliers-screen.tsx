import { useQuery } from '@tanstack/react-query'
import { Plus, Truck } from 'lucide-react'
import type { ReactNode } from 'react'
import { SUPPLY_ORDERS_PAGE_SIZE } from '../../../contract/limits.ts'
import { supplyLinks, supplyOrdersOn, supplySources, supplyState, supplyView } from '../../../contract/panel-pages.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { panelQuery, usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { loadWords } from '../../platform/catalogues.ts'
import { t } from '../../platform/i18n.ts'
import { navigate, useSearch } from '../../platform/navigation/router.tsx'
import { Nothing } from '../../ui/admin/lists/nothing.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { linkActions, linkColumns, linkFace, useLinkSwitch } from './supplier-columns.tsx'
import { orderActions, orderColumns, orderFace } from './supply-order-columns.tsx'
import { sourceActions, sourceColumns, sourceFace } from './source-columns.tsx'

const SupplierDialog = lazyPart(() => import('./supplier-dialog.tsx').then((file) => file.SupplierDialog))
const SourceDialog = lazyPart(() => import('./source-dialog.tsx').then((file) => file.SourceDialog))

/** A short word fits beside the views of a phone. */
const BESIDE_VIEWS = 'max-wide:px-3.5! max-wide:[&_svg]:hidden'

/** The worker looks every few seconds. */
const POLL_MS = 10_000

/** With its words, which no other screen needs. */
export const loadSuppliers = () => loadWords('-supply').then(() => SuppliersScreen)

/** The suppliers, which durations they fill, and what was bought there. */
function SuppliersScreen() {
  const view = supplyView(useSearch('/admin/suppliers'))
  const views = (
    <Segmented
      label={t('View')}
      value={view}
      onChange={(next) =>
        void navigate({ to: '/admin/suppliers', search: { view: next === 'links' ? undefined : next } })
      }
      options={[
        { value: 'links', label: t('Suppliers') },
        { value: 'sources', label: t('Products') },
        { value: 'orders', label: t('Orders') },
      ]}
      className="max-wide:[&>button]:px-2"
    />
  )
  if (view === 'sources') return <Sources views={views} />
  return view === 'orders' ? <Orders views={views} /> : <Links views={views} />
}

interface ListProps {
  views: ReactNode
}

function Links({ views }: ListProps) {
  const links = useQuery({ ...panelQuery(supplyLinks), refetchInterval: POLL_MS })
  const list = useListSearch('/admin/suppliers')
  const toggle = useLinkSwitch()
  const connect = (
    <Button
      icon={<Plus size={17} aria-hidden />}
      aria-label={t('Connect a supplier')}
      denied={denied(calls.supply.addLink)}
      onClick={() => openDialog(SupplierDialog, {})}
      className={BESIDE_VIEWS}
    >
      <span className="wide:hidden">{t('Connect')}</span>
      <span className="max-wide:hidden">{t('Connect a supplier')}</span>
    </Button>
  )
  const rows = links.data?.links
  return (
    <RecordList
      title={t('Suppliers')}
      views={views}
      actions={connect}
      isEmpty={rows?.length === 0}
      list={list}
      query={links}
      rows={rows}
      columns={linkColumns(toggle)}
      face={linkFace}
      actionsOf={(link) => linkActions(link, () => openDialog(SupplierDialog, { link }))}
      empty={
        <Nothing
          icon={<Truck size={22} />}
          first={{
            title: t('No suppliers yet'),
            text: t('Connect a store that sells to you, and keys come into stock automatically.'),
            action: connect,
          }}
          none={{ search: '', title: '', showAll: '', onShowAll: list.clear }}
        />
      }
    />
  )
}

function Sources({ views }: ListProps) {
  const sources = useQuery({ ...panelQuery(supplySources), refetchInterval: POLL_MS })
  const links = usePanel(supplyLinks, { select: (found) => found.links })
  const list = useListSearch('/admin/suppliers')
  const hasLinks = (links.data?.length ?? 0) > 0
  const add = hasLinks && (
    <Button
      icon={<Plus size={17} aria-hidden />}
      denied={denied(calls.supply.saveSource)}
      onClick={() => openDialog(SourceDialog, {})}
    >
      {t('Add a product')}
    </Button>
  )
  const rows = sources.data?.sources.map((source) => ({ ...source, _id: source.priceId }))
  const nameOf = (linkId: string) => links.data?.find(({ _id }) => _id === linkId)?.name ?? ''
  return (
    <RecordList
      title={t('Suppliers')}
      heading={t('Products')}
      views={views}
      {...(add && { actions: add })}
      isEmpty={rows?.length === 0}
      list={list}
      query={sources}
      rows={rows}
      columns={sourceColumns(nameOf)}
      face={(source) => sourceFace(source, nameOf)}
      actionsOf={(source) => sourceActions(source, () => openDialog(SourceDialog, { source }))}
      empty={
        <Nothing
          icon={<Truck size={22} />}
          first={{
            title: t('Nothing comes from a supplier yet'),
            text: hasLinks
              ? t('Choose one of your durations, what it is called there, and how many keys to keep.')
              : t('Connect a supplier first.'),
            ...(add && { action: add }),
          }}
          none={{ search: '', title: '', showAll: '', onShowAll: list.clear }}
        />
      }
    />
  )
}

function Orders({ views }: ListProps) {
  const address = useSearch('/admin/suppliers')
  const orders = useQuery({ ...panelQuery(supplyOrdersOn(address)), refetchInterval: POLL_MS })
  const list = useListSearch('/admin/suppliers')
  const state = supplyState(address) ?? 'all'
  const total = orders.data?.total ?? 0
  return (
    <RecordList
      title={t('Suppliers')}
      heading={t('Orders')}
      views={views}
      isEmpty={total === 0 && state === 'all'}
      list={list}
      query={orders}
      rows={orders.data?.orders}
      filter={{
        label: t('Show orders'),
        value: state,
        options: [
          { value: 'all', label: t('All') },
          { value: 'open', label: t('On the way') },
          { value: 'by-hand', label: t('Not answered') },
        ],
      }}
      paging={{ pageSize: SUPPLY_ORDERS_PAGE_SIZE, total }}
      columns={orderColumns()}
      face={orderFace}
      actionsOf={orderActions}
      empty={
        <Nothing
          icon={<Truck size={22} />}
          first={
            state === 'all' && {
              title: t('No orders yet'),
              text: t('What the store buys from a supplier stands here, with what became of it.'),
            }
          }
          none={{ search: '', title: t('No orders found'), showAll: t('Show all orders'), onShowAll: list.clear }}
        />
      }
    />
  )
}
