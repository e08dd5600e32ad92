import type { EventoServidor } from '@balcao/contract/realtime'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { onEvento } from '#shared/socket.ts'

/** Lists that are fetched once and then updated by socket events. */

export type Aplicar<T> = (lida: T, evento: EventoServidor) => T

/** Fetches and then applies the events that arrived during the request, so none is lost. */
export async function semPerder<T>(pedir: () => Promise<T>, aplicar: Aplicar<T>): Promise<T> {
  const vistos: EventoServidor[] = []
  const parar = onEvento((evento) => vistos.push(evento))
  try {
    const lida = await pedir()
    return vistos.reduce(aplicar, lida)
  } finally {
    parar()
  }
}

export function useAoVivo<T>(chave: QueryKey, aplicar: Aplicar<T>): void {
  const cliente = useQueryClient()
  const receber = useEffectEvent((evento: EventoServidor) => {
    cliente.setQueryData<T>(chave, (lida) => (lida === undefined ? undefined : aplicar(lida, evento)))
  })
  useEffect(() => onEvento((evento) => receber(evento)), [])
}
