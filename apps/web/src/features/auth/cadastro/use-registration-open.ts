import { opcoesRegistroRoute } from '@balcao/contract/routes/auth'
import { useEffect, useState } from 'react'
import { call } from '#shared/api-client.ts'

/** Stays true unless the server says no. On registration the server checks again. */
export function useRegistrationOpen(): boolean {
  const [open, setAberto] = useState(true)
  useEffect(() => {
    const output = new AbortController()
    call(opcoesRegistroRoute, { signal: output.signal }).then(
      ({ permitirAutoRegistro }) => setAberto(permitirAutoRegistro),
      () => undefined,
    )
    return () => output.abort()
  }, [])
  return open
}
