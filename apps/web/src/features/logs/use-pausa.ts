import type { Log } from '@balcao/contract/entities/log'
import { useState } from 'react'

/** Why the list holds still: somebody points at it, is inside it, has scrolled it, or asked for it. */
export type Causa = 'ponteiro' | 'foco' | 'rolagem' | 'pedido'

export interface Pausa {
  /** What is on screen. */
  readonly vistos: readonly Log[]
  /** Entries that came since it holds still. */
  readonly novas: number
  readonly pausada: boolean
  /** Somebody asked for it, as against being in the middle of reading. */
  readonly pedida: boolean
  readonly mudar: (causa: Causa, ligada: boolean) => void
  /** Shows what came, and goes on holding still if there is still a reason to. */
  readonly verNovas: () => void
}

const NENHUMA: ReadonlySet<Causa> = new Set()

/** A list that moves by itself and stops under the eyes of whoever reads it. `chave` is the filter it belongs to. */
export function usePausa(logs: readonly Log[], chave: string): Pausa {
  const [causas, setCausas] = useState(NENHUMA)
  const [fixa, setFixa] = useState<{ readonly chave: string; readonly logs: readonly Log[] } | null>(null)
  const pausada = causas.size > 0
  // Another filter is another list, even while this one holds still.
  if (pausada && fixa?.chave !== chave) setFixa({ chave, logs })
  if (!pausada && fixa !== null) setFixa(null)
  const parada = pausada && fixa?.chave === chave ? fixa.logs : logs
  // What was on screen may have been refreshed, or be gone.
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
