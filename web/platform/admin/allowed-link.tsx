import type { ComponentProps } from 'react'
import type { Path } from '../navigation/navigation.ts'
import { denied } from './roles.ts'
import { Link } from '../navigation/router.tsx'

type LinkProps<P extends Path> = ComponentProps<typeof Link<P>>

interface AllowedLinkProps {
  /** The call that the screen behind it is made of. */
  call: Parameters<typeof denied>[0]
  /** Classes that make it a link, such as those of hovering. */
  linkClassName?: string
}

/** A link into the panel. A role that may not open it sees its text alone. */
export function AllowedLink<P extends Path>({ call, linkClassName, ...link }: LinkProps<P> & AllowedLinkProps) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is left is a link's own
  const props = link as LinkProps<P>
  const className = props.className ?? ''
  if (denied(call)) return <div className={className}>{props.children}</div>
  return <Link<P> {...props} className={`${className} ${linkClassName ?? ''}`} />
}
