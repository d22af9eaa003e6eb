import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, useEffect } from 'react'
import { Root } from './root.tsx'

interface StoreAppProps {
  queries: QueryClient
  /** Called once the page takes clicks and keys. */
  onAlive?: () => void
}

/** Builds the whole page, the same in the browser and on the server, because hydration needs one tree. */
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
