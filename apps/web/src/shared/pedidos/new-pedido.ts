import { useEffect, useEffectEvent } from 'react'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useUsuario } from '#shared/session.tsx'

/** The open chat, the side panel and the palette start an order for the customer. */

const EVENT = 'novo-pedido'

/** True for people who may write and move orders of a shop that takes them. */
export function useTakesPedidos(): boolean {
  const { tipo, componentesPermitidos } = useUsuario()
  const { config } = useConfig()
  return config?.loja.pedidos === true && (tipo !== 'usuario' || componentesPermitidos.lojaWhatsapp)
}

/** Asks the open chat to start an order. */
export function startPedido(): void {
  dispatchEvent(new Event(EVENT))
}

export function useStartPedido(onStart: () => void): void {
  const start = useEffectEvent(onStart)
  useEffect(() => {
    const listen = (): void => start()
    addEventListener(EVENT, listen)
    return () => removeEventListener(EVENT, listen)
  }, [])
}
