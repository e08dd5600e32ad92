import { opcoesRegistroRoute } from '@balcao/contract/routes/auth'
import { useEffect, useState } from 'react'
import { call } from '#shared/api-client.ts'

/** Whether people may sign up. Only a clear 'no' takes it away; without an answer the server decides at the end. */
export function useRegistroAberto(): boolean {
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
