import type { Contagens } from '@balcao/contract/entities/contagens'
import { contagensRoute } from '@balcao/contract/routes/atendimento-leituras'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#shared/api-client.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { useUsuario } from '#shared/session.tsx'

const CONTAGENS_KEY = ['atendimento', 'contagens'] as const

/** The numbers of the person's views. Undefined until the first answer. */
export function useViewCounts(): Contagens | undefined {
  const client = useQueryClient()
  const { contaId } = useUsuario()
  useEffect(
    () =>
      onSocketEvent(({ evento, dados }) => {
        if (evento !== 'contagensMudaram' || dados.userId !== contaId) return
        const { userId: _conta, seq: _seq, ...contagens } = dados
        void client.cancelQueries({ queryKey: CONTAGENS_KEY })
        client.setQueryData<Contagens>(CONTAGENS_KEY, contagens)
      }),
    [client, contaId],
  )
  return useQuery({
    queryKey: CONTAGENS_KEY,
    queryFn: ({ signal }) => call(contagensRoute, { signal }),
    networkMode: 'always',
    retry: false,
  }).data
}
