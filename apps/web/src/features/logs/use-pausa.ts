import type { Log } from '@balcao/contract/entities/log'
import { useState } from 'react'

/** Reasons for the pause: hover, focus, scroll position, or the button. */
export type Causa = 'ponteiro' | 'foco' | 'rolagem' | 'pedido'

export interface Pausa {
  readonly vistos: readonly Log[]
  /** Entries that arrived during the pause. */
  readonly novas: number
  readonly pausada: boolean
  /** Paused by the button. */
  readonly pedida: boolean
  readonly mudar: (causa: Causa, ligada: boolean) => void
  /** Shows the new entries. The pause continues while a reason remains. */
  readonly verNovas: () => void
}

const NENHUMA: ReadonlySet<Causa> = new Set()

/** Freezes the live list while a pause reason exists. The key identifies the filter. */
export function usePausa(logs: readonly Log[], chave: string): Pausa {
  const [causas, setCausas] = useState(NENHUMA)
  const [fixa, setFixa] = useState<{ readonly chave: string; readonly logs: readonly Log[] } | null>(null)
  const pausada = causas.size > 0
  if (pausada && fixa?.chave !== chave) setFixa({ chave, logs })
  if (!pausada && fixa !== null) setFixa(null)
  const parada = pausada && fixa?.chave === chave ? fixa.logs : logs
  // Compares by id: frozen entries may have been refreshed or removed.
  const conhecidos = new Set(parada.map(({ id }) => id))
  return {
    vistos: parada,
    novas: parada === logs ? 0 : logs.filter(({ id }) => !conhecidos.has(id)).length,
    pausada,
    pedida: causas.has('pedido'),
    mudar: (causa, ligada) =>
      setCausas((atuais) => {
        if (atuais.has(causa) === ligada) return atuais
        const novas = new Set(atuais)
        if (ligada) novas.add(causa)
        else novas.delete(causa)
        return novas
      }),
    verNovas: () => setFixa(pausada ? { chave, logs } : null),
  }
}
