import { Component, type ComponentType, type ReactNode } from 'react'

export interface InsteadProps {
  error: unknown
  /** Draws it again. */
  onRetry: () => void
}

interface BoundaryProps {
  /** Stands in for what could not be drawn; else there is nothing. */
  Instead?: ComponentType<InsteadProps>
  onError?: (retry: () => void) => void
  /** A function where another try may draw something else. */
  children: ReactNode | (() => ReactNode)
}

/** A part that cannot be drawn takes nothing else with it. */
export class Boundary extends Component<BoundaryProps, { error: unknown; failed: boolean }> {
  override state = { error: undefined as unknown, failed: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true }
  }

  override componentDidCatch() {
    this.props.onError?.(this.retry)
  }

  private readonly retry = () => this.setState({ error: undefined, failed: false })

  override render() {
    const { Instead, children } = this.props
    if (this.state.failed) return Instead ? <Instead error={this.state.error} onRetry={this.retry} /> : null
    return typeof children === 'function' ? children() : children
  }
}
