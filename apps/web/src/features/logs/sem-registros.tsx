import { ListTree } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState } from '#shared/ui/states.tsx'
import { type Filtro, filtrando, PERIODO_PADRAO, SEM_FILTRO } from './filtro.ts'

export interface SemRegistrosProps {
  readonly filtro: Filtro
  readonly onFiltrar: (mudanca: Partial<Filtro>) => void
}

export function SemRegistros({ filtro, onFiltrar }: SemRegistrosProps) {
  const icone = <ListTree size={22} aria-hidden />
  if (filtrando(filtro)) {
    return (
      <EmptyState
        titulo="Nada com este filtro"
        icone={icone}
        acao={
          <Button className="min-h-11" onClick={() => onFiltrar(SEM_FILTRO)}>
            Limpar filtros
          </Button>
        }
      >
        Procure por outra palavra, outro tipo ou um período maior.
      </EmptyState>
    )
  }
  if (filtro.periodo === 'todos') {
    return (
      <EmptyState titulo="Nenhum registro ainda" icone={icone}>
        Aqui aparece, na hora, o que o bot e as pessoas da conta fizerem. Os registros ficam por 90 dias.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      titulo={filtro.periodo === PERIODO_PADRAO ? 'Nenhum registro hoje' : 'Nenhum registro neste período'}
      icone={icone}
      acao={
        <Button className="min-h-11" onClick={() => onFiltrar({ periodo: 'todos' })}>
          Ver todos os períodos
        </Button>
      }
    >
      O que acontecer com o bot aparece aqui na hora.
    </EmptyState>
  )
}
