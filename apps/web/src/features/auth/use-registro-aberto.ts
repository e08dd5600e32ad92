import { opcoesRegistroRoute } from '@balcao/contract/routes/auth'
import { useEffect, useState } from 'react'
import { call } from '#shared/api-client.ts'

/** Stays true unless the server says no. On registration the server checks again. */
export function useRegistrationOpen(): boolean {
  const [aberto, setAberto] = useState(true)
  useEffect(() => {
    const saida = new AbortController()
    call(opcoesRegistroRoute, { signal: saida.signal }).then(
      ({ permitirAutoRegistro }) => setAberto(permitirAutoRegistro),
      () => undefined,
    )
    return () => saida.abort()
  }, [])
  return aberto
}
