import { sistemaStatusRoute } from '@balcao/contract/routes/sistema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { call } from '#shared/api-client.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { onEvento } from '#shared/socket.ts'

/** Measurements expire, so they are polled. */
const MEDIR_MS = 15_000
const APOS_MENSAGEM_MS = 3_000

export function useSistema() {
  const cliente = useQueryClient()
  const medir = useEffectEvent(() => void cliente.invalidateQueries({ queryKey: CHAVES.sistema }))
  useEffect(() => {
    let aposMensagem: ReturnType<typeof setTimeout> | undefined
    const parar = onEvento(({ evento }) => {
      if (evento === 'botStatusChange') medir()
      if (evento !== 'botMensagem') return
      aposMensagem ??= setTimeout(() => {
        aposMensagem = undefined
        medir()
      }, APOS_MENSAGEM_MS)
    })
    return () => {
      parar()
      clearTimeout(aposMensagem)
    }
  }, [])
  return useQuery({
    queryKey: CHAVES.sistema,
    queryFn: ({ signal }) => call(sistemaStatusRoute, { signal }),
    staleTime: 0,
    refetchInterval: MEDIR_MS,
    networkMode: 'always',
  })
}
