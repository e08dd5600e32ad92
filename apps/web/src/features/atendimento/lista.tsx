import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { Lock, Inbox, Search } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { TEXTOS } from '#shared/textos.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { CartaoDaConversa } from './cartao-da-conversa.tsx'
import { type Filtro, type FiltroDeStatus, filtrando } from './filtros.ts'

const FILTROS: readonly { readonly valor: FiltroDeStatus; readonly rotulo: string }[] = [
  { valor: 'todos', rotulo: 'Todas' },
  { valor: 'aguardando', rotulo: 'Aguardando' },
  { valor: 'em_atendimento', rotulo: 'Em atendimento' },
  { valor: 'finalizada', rotulo: 'Finalizadas' },
]

export interface FiltrosDaListaProps {
  readonly filtro: Filtro
  readonly onMudar: (filtro: Filtro) => void
  readonly campo: RefObject<HTMLInputElement | null>
}

/** The search, and the status (spec §2). */
export function FiltrosDaLista({ filtro, onMudar, campo }: FiltrosDaListaProps) {
  return (
    <div className="grid gap-2 border-b p-3">
      <label className="relative block">
        <span className="sr-only">Buscar por nome ou telefone</span>
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        />
        <input
          ref={campo}
          type="search"
          className="field pl-9"
          placeholder="Nome ou telefone"
          autoComplete="off"
          value={filtro.busca}
          onChange={({ currentTarget }) => onMudar({ ...filtro, busca: currentTarget.value })}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape' && filtro.busca === '') currentTarget.blur()
          }}
        />
      </label>
      <div role="group" aria-label="Status" className="relative -mx-3 flex gap-1.5 overflow-x-auto px-3 py-1">
        {FILTROS.map(({ valor, rotulo }) => (
          <button
            key={valor}
            type="button"
            aria-pressed={filtro.status === valor}
            onClick={() => onMudar({ ...filtro, status: valor })}
            className="min-h-11 flex-none rounded-full border px-3 text-sm font-semibold text-muted hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink"
          >
            {rotulo}
          </button>
        ))}
      </div>
    </div>
  )
}

function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando as conversas" aria-busy="true">
      {[0, 1, 2, 3, 4].map((linha) => (
        <div key={linha} className="flex gap-3 border-b px-3 py-2.5">
          <Skeleton className="size-11 flex-none !rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        </div>
      ))}
    </div>
  )
}

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
  return (
    <EmptyState titulo="Ninguém esperando" icone={icone} acao={acao}>
      Quando um cliente pedir para falar com uma pessoa, a conversa aparece aqui.
    </EmptyState>
  )
}

export interface ListaProps {
  readonly conversas: readonly Conversa[]
  readonly setorDe: (id: string) => Pick<Setor, 'nome' | 'cor'>
  readonly abertaId: string | undefined
  readonly carregando: boolean
  readonly erro: Error | null
  readonly filtro: Filtro
  readonly onLimpar: () => void
  readonly onAbrir: (id: string) => void
  readonly onTentar: () => void
  /** Under the rows: more pages. */
  readonly rodape: ReactNode
  /** What to do when there is nothing at all. */
  readonly acaoVazia: ReactNode
}

export function Lista({ conversas, carregando, erro, filtro, ...resto }: ListaProps) {
  if (carregando) return <Esqueleto />
  if (conversas.length === 0 && erro !== null) {
    if (erro instanceof ApiError && erro.status === 403) {
      return (
        <EmptyState titulo={TEXTOS.acessoRestrito} icone={<Lock size={22} aria-hidden />}>
          {erro.message}
        </EmptyState>
      )
    }
    return <ErrorState mensagem={erro.message} onTentar={resto.onTentar} />
  }
  if (conversas.length === 0) {
    return (
      <>
        <Vazia filtro={filtro} onLimpar={resto.onLimpar} acao={resto.acaoVazia} />
        {resto.rodape}
      </>
    )
  }
  return (
    <>
      <ul aria-label="Conversas">
        {conversas.map((conversa) => (
          <CartaoDaConversa
            key={conversa.id}
            conversa={conversa}
            setor={resto.setorDe(conversa.setor)}
            aberta={conversa.id === resto.abertaId}
            onAbrir={resto.onAbrir}
          />
        ))}
      </ul>
      {resto.rodape}
    </>
  )
}
