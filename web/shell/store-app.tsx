import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, useEffect } from 'react'
import { Root } from './root.tsx'

interface StoreAppProps {
  queries: QueryClient
  /** Called when the page answers to clicks and keys. */
  onAlive?: () => void
}

/** The whole page, the same in the browser and on the server: hydration wants one tree. */
export function StoreApp({ queries, onAlive }: StoreAppProps) {
  useEffect(() => onAlive?.(), [onAlive])
  return (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Root />
      </QueryClientProvider>
    </StrictMode>
  )
}
