import { Component, type ComponentType, type ReactNode } from 'react'

export interface InsteadProps {
  error: unknown
  /** Tries to draw the part again. */
  onRetry: () => void
}

interface BoundaryProps {
  /** Shown instead of a part that fails. Without it, nothing shows. */
  Instead?: ComponentType<InsteadProps>
  onError?: (retry: () => void, error: unknown) => void
  /** Returns the children. Use a function if another try may draw something else. */
  children: ReactNode | (() => ReactNode)
}

/** Keeps a part that fails from breaking the rest of the page. */
export class Boundary extends Component<BoundaryProps, { error: unknown; failed: boolean }> {
  override state = { error: undefined as unknown, failed: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.onError?.(this.retry, error)
  }

  private readonly retry = () => this.setState({ error: undefined, failed: false })

  override render() {
    const { Instead, children } = this.props
    if (this.state.failed) return Instead ? <Instead error={this.state.error} onRetry={this.retry} /> : null
    return typeof children === 'function' ? children() : children
  }
}
