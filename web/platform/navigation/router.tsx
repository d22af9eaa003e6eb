/** Gives screens their links and hooks. See navigation.ts for the router itself. */
import {
  useMemo,
  useSyncExternalStore,
  type ComponentProps,
  type ComponentType,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { Boundary, type InsteadProps } from './boundary.tsx'
import {
  follow,
  going,
  hrefOf,
  navigate as go,
  pending,
  preload,
  reloadScreen,
  searchOf,
  shown,
  type Location,
  type Path,
  type SearchOf,
  type Target,
} from './navigation.ts'
import { useSession } from '../session/session.ts'
import { useStore } from '../store.ts'

interface LinkProps<P extends Path> extends Omit<ComponentProps<'a'>, 'href'> {
  to: P
  search?: SearchOf<P>
  hash?: string
  replace?: boolean
  /** Class while the link leads to the current page, which it also announces (`aria-current`). */
  activeClassName?: string
  /** Class while it does not. */
  inactiveClassName?: string
}

/** `<Link to="/buy" search={{ product }} className={buttonClass()}>`. Fetches its screen on hover, focus and touch. */
export function Link<P extends Path>(props: LinkProps<P>) {
  const { to, search, hash, replace, activeClassName, inactiveClassName, className, children, onClick, ...rest } = props
  const { pathname } = useLocation()
  const isChosen = () => (going.get() ?? pathname) === to
  const active = useSyncExternalStore(going.subscribe, isChosen, isChosen)
  const target: Target = {
    to,
    ...(search && { search: search as Record<string, string> }),
    ...(hash && { hash }),
    ...(replace && { replace }),
  }
  const href = hrefOf(target)
  const onTap = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event) || rest.target) return
    event.preventDefault()
    void follow(target)
  }
  const fetchAhead = () => preload(href)
  return (
    <a
      {...rest}
      href={href}
      aria-current={rest['aria-current'] ?? (active ? 'page' : undefined)}
      className={[className, active ? activeClassName : inactiveClassName].filter(Boolean).join(' ') || undefined}
      onClick={onTap}
      onPointerEnter={fetchAhead}
      onFocus={fetchAhead}
      onTouchStart={fetchAhead}
    >
      {children}
    </a>
  )
}

/** True for a click that opens a new tab or downloads. The browser handles it. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}

/** `navigate({ to: '/my-key' })`, `navigate({ search: { page: 2 } })`, `navigate({ href: next, replace: true })` */
export const navigate: <P extends Path>(target: Target<P>) => Promise<void> = go

export function useLocation(): Location {
  const current = useStore(shown)
  if (!current) throw new Error('No router')
  return current.location
}

/** Returns this screen's search parameters: `const { product } = useSearch('/buy')`. The path gives the type. */
export function useSearch<P extends Path>(_path: P): SearchOf<P> {
  const location = useLocation()
  // Returns the same object for the same address, so that it can be a dependency.
  return useMemo(() => searchOf(location) as SearchOf<P>, [location])
}

/** True while a screen takes longer than a moment to fetch. */
export const useNavigationPending = (): boolean => useStore(pending)

interface RouterViewProps {
  /** Shown in the frame while its screen is fetched. */
  loading: ReactNode
  notFound: ReactNode
  ErrorPage: ComponentType<InsteadProps>
}

/** Draws the current screen in its frame. */
export function RouterView({ loading, notFound, ErrorPage }: RouterViewProps) {
  const current = useStore(shown)
  // A login or logout may change who may see the screen, so this checks again.
  useSession()
  if (!current) return null
  const { screen, Component: Screen, Layout, error, location } = current
  if (!screen) return notFound

  const content =
    error === undefined ? (
      <Boundary key={location.pathname} Instead={ErrorPage}>
        {Screen && screen.isAllowed?.() !== false ? <Screen /> : loading}
      </Boundary>
    ) : (
      <ErrorPage error={error} onRetry={() => void reloadScreen()} />
    )
  return Layout ? <Layout>{content}</Layout> : content
}
