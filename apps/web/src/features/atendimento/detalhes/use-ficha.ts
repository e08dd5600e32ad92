import type { Conversa } from '@balcao/contract/entities/conversa'
import { fichaDoClienteRoute } from '@balcao/contract/routes/atendimento-conversa'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#shared/api-client.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'

export function useFicha(conversa: Conversa) {
  const { id, nota } = conversa
  const lastReceived = conversa.mensagens.findLast(({ tipo }) => tipo === 'recebida')?.id
  const query = useQuery({
    queryKey: ['atendimento', 'ficha', id],
    queryFn: async ({ signal }) => {
      const ficha = await call(fichaDoClienteRoute, { params: { id }, signal })
      return { ...ficha, lastReceived, nota }
    },
    networkMode: 'always',
  })
  const { data, refetch } = query
  // A new mensagem of the customer may have reopened the 24 h window.
  const mayWrite = data?.janelaAte !== undefined && data.lastReceived !== lastReceived
  const outdated = mayWrite || (data !== undefined && data.nota !== nota)
  useEffect(() => {
    if (outdated) void refetch({ cancelRefetch: false })
  }, [outdated, lastReceived, nota, refetch])
  // The summary of the AI is stored before its event, but an answer on its way may be older.
  useEffect(
    () =>
      onSocketEvent(({ evento, dados }) => {
        if (evento === 'resumoConversa' && dados.conversaId === id) void refetch()
      }),
    [id, refetch],
  )
  return query
}
