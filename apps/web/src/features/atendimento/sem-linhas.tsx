import { Inbox, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { TEXTOS } from '#shared/textos.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState } from '#shared/ui/states.tsx'
import { type Filtro, filtrando } from './filtros.ts'

function Vazia({ filtro, onLimpar, acao }: { filtro: Filtro; onLimpar: () => void; acao: ReactNode }) {
  const icone = <Inbox size={22} aria-hidden />
  if (filtrando(filtro)) {
    const soFinalizadas = filtro.status === 'finalizada' && filtro.busca === '' && filtro.setor === null
    return (
      <EmptyState
        titulo={soFinalizadas ? 'Nenhuma conversa finalizada' : 'Nada com este filtro'}
        icone={icone}
        acao={<Button onClick={onLimpar}>Limpar filtros</Button>}
      >
        {soFinalizadas
          ? 'As conversas finalizadas saem da lista e ficam guardadas aqui.'
          : 'Nenhuma conversa combina com o que foi escolhido.'}
      </EmptyState>
    )
  }
  if (filtro.meus !== null) {
    return (
      <EmptyState
        titulo="Ninguém esperando nos seus setores"
        icone={icone}
        acao={<Button onClick={onLimpar}>Ver todos os setores</Button>}
      >
        Os outros setores podem ter conversas.
      </EmptyState>
    )
  }
  return (
    <EmptyState titulo="Ninguém esperando" icone={icone} acao={acao}>
      Quando um cliente pedir para falar com uma pessoa, a conversa aparece aqui.
    </EmptyState>
  )
}

export interface SemLinhasProps {
  readonly erro: Error | null
  readonly filtro: Filtro
  readonly acao: ReactNode
  readonly onLimpar: () => void
  readonly onTentar: () => void
}

export function SemLinhas({ erro, filtro, acao, onLimpar, onTentar }: SemLinhasProps) {
  if (erro instanceof ApiError && erro.status === 403) {
    return (
      <EmptyState titulo={TEXTOS.acessoRestrito} icone={<Lock size={22} aria-hidden />}>
        {erro.message}
      </EmptyState>
    )
  }
  if (erro !== null) return <ErrorState mensagem={erro.message} onTentar={onTentar} />
  return <Vazia filtro={filtro} onLimpar={onLimpar} acao={acao} />
}
