import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { logFailure } from '#shared/log-failure.ts'
import { SessionProvider } from '#shared/session.tsx'
import { createPanelRouter } from './router.tsx'

function logQuery(error: Error, { meta }: { meta: Record<string, unknown> | undefined }): void {
  if (typeof meta?.['failure'] === 'string') logFailure(meta['failure'], error)
}

/** Retries twice, except after a 4xx answer, which a retry cannot change. */
function createCache(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: logQuery }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (times, error) => times < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
    },
  })
}

export function App() {
  const [cache] = useState(createCache)
  const [router] = useState(createPanelRouter)
  return (
    <QueryClientProvider client={cache}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>
  )
}
