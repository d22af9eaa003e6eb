import { useState, type ReactNode } from 'react'
import { SlidersHorizontal } from 'lucide-react'
import { t } from '../../../platform/i18n.ts'
import { formatCount } from '../../../platform/money.ts'
import { AtWidth } from '../at-width.tsx'
import { Button } from '../../buttons/button.tsx'
import { Dialog } from '../../overlays/dialog.tsx'
import { Page } from '../../page/page.tsx'
import { cx } from '../../cx.ts'
import { ActionButton, ActionMenu, type Action } from './action-menu.tsx'
import { RowIcons } from './record-card.tsx'

interface ListPageProps {
  /** The page's name: its tab's title, and its heading to screen readers. */
  title: string
  /** The heading over the list, where it is another. */
  heading?: string | undefined
  /** In the heading's place: a Segmented of the lists that share the page. */
  views?: ReactNode
  /** The total, shown next to the heading. */
  count?: number | undefined
  /** True if the count is an estimate. */
  isEstimate?: boolean | undefined
  /** Under the heading or the views on phones, in a line or two: the figures that `above` shows on wide screens. */
  summary?: ReactNode
  /** The main button, at the right end of the heading's line. */
  actions?: ReactNode
  /**
   * Less used actions: buttons on wide screens; on phones a menu, or the only one itself. Destructive ones are always
   * in the menu.
   */
  more?: readonly Action[]
  /** A SearchInput. */
  search?: ReactNode
  /** A Segmented or Select beside the search. On phones in a sheet behind “Filters”. */
  filters?: ReactNode
  /** Number of active filters. */
  activeFilters?: number
  /** Over the list on wide screens, under its views, and under it on phones: stat cards. */
  above?: ReactNode
  /** Between the filters and the list. */
  notice?: ReactNode
  /** Under the list: Pagination. */
  footer?: ReactNode
  /** True while there is nothing to search or filter. The empty state has the button of the first entry. */
  isEmpty?: boolean | undefined
  /** The DataTable. */
  children: ReactNode
}

const TOP = 'flex min-h-9 flex-wrap items-center justify-between gap-2 wide:min-h-11 wide:gap-x-4'
/** On a phone a long summary is cut, and does not push the main button to a line of its own. */
const BESIDE_SIDE = 'max-wide:grow max-wide:basis-0 max-wide:large-text:basis-auto'
/** At a desk all of one height, whatever has a label over it. */
const TOOLS =
  'flex items-center gap-2 wide:flex-wrap wide:items-end wide:gap-3 large-text:flex-wrap ' +
  'wide:[&_fieldset>button]:min-h-9.5'
/** Takes the room that is left, so that what comes later moves nothing. */
const SIDE = 'ml-auto flex max-w-full shrink-0 flex-wrap items-center gap-2 wide:grow wide:justify-end'

/** A list with search and paging: `<ListPage title heading count actions search filters><DataTable …/>` */
export function ListPage(props: ListPageProps) {
  const {
    title,
    heading = title,
    views,
    count,
    isEstimate,
    summary,
    actions,
    more = [],
    search,
    filters,
    activeFilters,
  } = props
  const { above, notice, footer, isEmpty, children } = props
  const figures = summary && !isEmpty && <div className="tabular text-xs text-fg-2 wide:hidden">{summary}</div>
  // Beside the views there is no room for more than an icon
  const underViews = views && !search && figures
  const figuresAbove = above && !isEmpty && <Above isUnderViews={Boolean(views)}>{above}</Above>
  return (
    <Page title={title} hideTitle>
      <div className="flex flex-col gap-4 wide:gap-6">
        {!views && figuresAbove}
        <section className="group/list flex flex-col wide:rounded-panel wide:border wide:border-line wide:bg-surface">
          <header className="grid grid-cols-1 gap-2 pb-2 wide:gap-3 wide:p-4">
            <div className={TOP}>
              <div className={cx('min-w-0', Boolean(summary && !views) && BESIDE_SIDE)}>
                <h2
                  className={cx(
                    'text-lg font-semibold',
                    Boolean(views) && 'sr-only',
                    Boolean(summary) && 'max-wide:leading-5',
                  )}
                >
                  {heading}
                  {count !== undefined && !isEmpty && (
                    <span className="tabular ml-1.5 font-normal text-fg-3">
                      {isEstimate ? t('about {count}', { count: formatCount(count) }) : formatCount(count)}
                    </span>
                  )}
                </h2>
                {views}
                {!underViews && figures}
              </div>
              {!isEmpty && (
                <Side about={heading} more={more} isTight={Boolean(views)}>
                  {actions}
                </Side>
              )}
            </div>
            {(search || filters) && !isEmpty && (
              <div className={TOOLS}>
                {underViews && <div className="min-w-0 flex-1 wide:hidden large-text:basis-full">{underViews}</div>}
                {search && (
                  <div className="min-w-0 flex-1 wide:w-72 wide:flex-none large-text:basis-full">{search}</div>
                )}
                {filters && (
                  <AtWidth wide={filters} narrow={<FilterSheet active={activeFilters ?? 0}>{filters}</FilterSheet>} />
                )}
              </div>
            )}
            {notice}
          </header>
          {views && figuresAbove}
          <div
            className={cx(
              // The pager draws nothing when one page holds all
              'wide:[&:not(:has(+div>*))]:overflow-hidden wide:[&:not(:has(+div>*))]:rounded-b-panel',
              isEmpty && 'wide:border-t wide:border-line',
            )}
          >
            {children}
          </div>
          {footer && <Footer>{footer}</Footer>}
        </section>
      </div>
    </Page>
  )
}

/** By style, because the server doesn't know how wide the window is. */
function Above({ isUnderViews, children }: { isUnderViews: boolean; children: ReactNode }) {
  return (
    <div className={cx('max-wide:order-last', isUnderViews && 'max-wide:mt-2 wide:px-4 wide:pb-4')}>{children}</div>
  )
}

interface SideProps {
  about: string
  more: readonly Action[]
  /** True if a phone has room for an icon only. */
  isTight: boolean
  children: ReactNode
}

/** The main button, and what is used less beside it. */
function Side({ about, more, isTight, children }: SideProps) {
  const menu = (actions: readonly Action[]) => <ActionMenu about={about} actions={actions} size="md" />
  const buttons = more.filter(({ danger }) => !danger)
  const [only] = more.length === 1 ? buttons : []
  return (
    <div className={SIDE}>
      <AtWidth
        wide={buttons.map((action) => (
          <ActionButton key={action.label} action={action} size="sm" variant="secondary" />
        ))}
        narrow={null}
      />
      {children}
      <AtWidth
        wide={menu(more.filter(({ danger }) => danger))}
        narrow={
          !only ? (
            menu(more)
          ) : isTight ? (
            <RowIcons actions={[only]} />
          ) : (
            <ActionButton action={only} variant="ghost" className="max-wide:-my-1" />
          )
        }
      />
    </div>
  )
}

/** Cards are shown by and by, and the next page comes after the last of them. */
function Footer({ children }: { children: ReactNode }) {
  const isShown = 'empty:hidden max-wide:group-has-data-more/list:hidden'
  return <div className={`py-2.5 wide:border-t wide:border-line wide:px-4 ${isShown}`}>{children}</div>
}

/** One button for all filters, with the number of those that are set. They take effect at once. */
function FilterSheet({ active, children }: { active: number; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant="secondary"
        icon={<SlidersHorizontal size={17} aria-hidden />}
        aria-label={active > 0 ? t('Filters, {count} active', { count: active }) : t('Filters')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="px-3.5!"
      >
        {t('Filters')}
        {active > 0 && (
          <span className="tabular grid min-w-5 place-items-center rounded-full bg-solid px-1.5 text-xs text-on-solid">
            {active}
          </span>
        )}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={t('Filters')}
        footer={
          <Button wide onClick={close}>
            {t('Show results')}
          </Button>
        }
      >
        <div className="flex flex-wrap items-center gap-3 *:w-full [&_fieldset>button]:px-1.5">{children}</div>
      </Dialog>
    </>
  )
}
