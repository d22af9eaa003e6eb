import { createElement, type ComponentProps } from 'react'

interface IconData {
  /** Shapes on a field of 24 × 24. */
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
}

interface IconProps extends ComponentProps<'svg'> {
  size?: number | string
}

/**
 * An icon from lucide's data. The build puts this in the place of lucide's own function, which maps every shape anew
 * whenever an icon is drawn, and brings 2 kB of options that no screen uses (vite.config.ts).
 */
export default function createIcon({ node }: IconData) {
  // The same elements in every drawing, so that React has nothing to compare.
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes))
  return function Icon({ size = 24, ...rest }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden={rest['aria-label'] === undefined || undefined}
        {...rest}
      >
        {shapes}
      </svg>
    )
  }
}
