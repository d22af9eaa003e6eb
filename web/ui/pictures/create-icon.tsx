import { createElement, type ComponentProps } from 'react'

interface IconData {
  /** Shapes on a field of 24 × 24. */
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
}

interface IconProps extends ComponentProps<'svg'> {
  size?: number | string
}

/**
 * Draws an icon from lucide's data. The build uses this instead of lucide's own function, which maps every shape again
 * on each drawing and brings 2 kB of options that no screen uses (vite.config.ts).
 */
export default function createIcon({ node }: IconData) {
  // Reuses the same elements, so that React has nothing to compare.
  const shapes = node.map(([tag, attributes], key) => createElement(tag, { ...attributes, key }))
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
