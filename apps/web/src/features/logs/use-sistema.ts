import { sistemaStatusRoute } from '@balcao/contract/routes/sistema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'

/** Measurements expire, so they are polled. */
const MEASURE_MS = 15_000
const AFTER_MENSAGEM_MS = 3_000

export function useSistemaStatus() {
  const cliente = useQueryClient()
  const measure = useEffectEvent(() => void cliente.invalidateQueries({ queryKey: QUERY_KEYS.sistema }))
  useEffect(() => {
    let aposMensagem: ReturnType<typeof setTimeout> | undefined
    const stop = onSocketEvent(({ evento }) => {
      if (evento === 'botStatusChange') measure()
      if (evento !== 'botMensagem') return
      aposMensagem ??= setTimeout(() => {
        aposMensagem = undefined
        measure()
      }, AFTER_MENSAGEM_MS)
    })
    return () => {
      stop()
      clearTimeout(aposMensagem)
    }
  }, [])
  return useQuery({
    queryKey: QUERY_KEYS.sistema,
    queryFn: ({ signal }) => call(sistemaStatusRoute, { signal }),
    staleTime: 0,
    refetchInterval: MEASURE_MS,
    networkMode: 'always',
  })
}
