import type { Log } from '@balcao/contract/entities/log'
import { ArrowUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { Linha } from './linha.tsx'
import type { Pausa } from './use-pausa.ts'

interface Viradas {
  readonly com: boolean
  readonly ids: ReadonlySet<string>
}

export interface ListaProps {
  readonly pausa: Pausa
  readonly mostrarDetalhes: boolean
  readonly comDia: boolean
  readonly esmaecida: boolean
}

export function Lista({ pausa, mostrarDetalhes, comDia, esmaecida }: ListaProps) {
  const caixa = useRef<HTMLDivElement>(null)
  const [viradas, setViradas] = useState<Viradas>({ com: mostrarDetalhes, ids: new Set() })
  // Changing the switch resets the rows toggled by hand.
  const ids = viradas.com === mostrarDetalhes ? viradas.ids : new Set<string>()
  const { vistos, novas, mudar, verNovas } = pausa
  const alternar = (id: string): void => {
    const novos = new Set(ids)
    if (!novos.delete(id)) novos.add(id)
    setViradas({ com: mostrarDetalhes, ids: novos })
  }
  return (
    <div
      ref={caixa}
      role="region"
      aria-label="Registros"
      aria-busy={esmaecida}
      // A scrollable area must be reachable by keyboard.
      tabIndex={0}
      className={`max-h-[min(38rem,75dvh)] overflow-y-auto transition-opacity ${esmaecida ? 'opacity-60' : ''}`}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && mudar('ponteiro', true)}
      onPointerLeave={() => mudar('ponteiro', false)}
      // Ignores focus from clicks: only keyboard focus pauses the list.
      onFocus={({ target }) => target.matches(':focus-visible') && mudar('foco', true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) mudar('foco', false)
      }}
      onScroll={({ currentTarget }) => mudar('rolagem', currentTarget.scrollTop > 8)}
    >
      {novas > 0 && (
        <div className="pointer-events-none sticky top-2 z-10 -mb-10 flex justify-center">
          <Button
            variante="primary"
            tamanho="sm"
            className="pointer-events-auto min-h-10 shadow-pop"
            onClick={() => {
              caixa.current?.scrollTo({ top: 0 })
              caixa.current?.focus({ preventScroll: true })
              verNovas()
            }}
          >
            <ArrowUp size={16} aria-hidden /> {quantas(novas)}
          </Button>
        </div>
      )}
      <ul className="divide-y divide-line">
        {vistos.map((log: Log) => (
          <Linha
            key={log.id}
            log={log}
            aberta={mostrarDetalhes !== ids.has(log.id)}
            comDia={comDia}
            onAlternar={alternar}
          />
        ))}
      </ul>
    </div>
  )
}

export function quantas(novas: number): string {
  return novas === 1 ? '1 nova' : `${novas} novas`
}
