import { type KeyboardEvent, useRef } from 'react'

export type QualLista = 'logs' | 'mensagens'

const LISTAS: readonly { readonly qual: QualLista; readonly rotulo: string }[] = [
  { qual: 'logs', rotulo: 'Logs' },
  { qual: 'mensagens', rotulo: 'Mensagens' },
]

export interface EscolhaDaListaProps {
  readonly atual: QualLista
  readonly onEscolher: (qual: QualLista) => void
}

export const idDaAba = (qual: QualLista): string => `lista-${qual}-aba`
export const ID_DO_PAINEL = 'lista-painel'

export function EscolhaDaLista({ atual, onEscolher }: EscolhaDaListaProps) {
  const caixa = useRef<HTMLDivElement>(null)
  const andar = (evento: KeyboardEvent): void => {
    if (evento.key !== 'ArrowLeft' && evento.key !== 'ArrowRight') return
    evento.preventDefault()
    const outra: QualLista = atual === 'logs' ? 'mensagens' : 'logs'
    onEscolher(outra)
    caixa.current?.querySelector<HTMLElement>(`#${idDaAba(outra)}`)?.focus()
  }
  return (
    <div ref={caixa} role="tablist" aria-label="O que ver" className="flex gap-1">
      {LISTAS.map(({ qual, rotulo }) => (
        <button
          key={qual}
          id={idDaAba(qual)}
          type="button"
          role="tab"
          aria-selected={qual === atual}
          aria-controls={ID_DO_PAINEL}
          tabIndex={qual === atual ? 0 : -1}
          onClick={() => onEscolher(qual)}
          onKeyDown={andar}
          className={`min-h-11 border-b-2 px-4 font-semibold ${qual === atual ? 'border-brand text-ink' : 'border-transparent text-muted'}`}
        >
          {rotulo}
        </button>
      ))}
    </div>
  )
}
