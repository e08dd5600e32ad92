import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { useQueryClient } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import {
  lazy,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { Skeleton } from '#shared/ui/states.tsx'
import { CartaoDaConversa } from './cartao-da-conversa.tsx'
import type { Filtro, FiltroDeStatus } from './filtros.ts'
import { useJanela } from './use-janela.ts'

const SemLinhas = lazy(async () => ({ default: (await import('./sem-linhas.tsx')).SemLinhas }))

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
  readonly meus: readonly string[] | null
}

const PILULA =
  'min-h-11 flex-none rounded-full border px-3 text-sm lg:min-h-8 lg:px-2.5 font-semibold text-muted hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink'

export const FiltrosDaLista = memo(function FiltrosDaLista({ filtro, onMudar, campo, meus }: FiltrosDaListaProps) {
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
      <div
        role="group"
        aria-label="Status"
        className="relative -mx-3 flex gap-1.5 overflow-x-auto px-3 py-1 lg:flex-wrap"
      >
        {meus !== null && (
          <button
            type="button"
            aria-pressed={filtro.meus !== null}
            onClick={() => onMudar({ ...filtro, meus: filtro.meus === null ? meus : null })}
            className={PILULA}
          >
            Meus setores
          </button>
        )}
        {FILTROS.map(({ valor, rotulo }) => (
          <button
            key={valor}
            type="button"
            aria-pressed={filtro.status === valor}
            onClick={() => onMudar({ ...filtro, status: valor })}
            className={PILULA}
          >
            {rotulo}
          </button>
        ))}
      </div>
    </div>
  )
})

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

export interface ListaProps {
  readonly quadro: RefObject<HTMLElement | null>
  readonly conversas: readonly Conversa[]
  readonly setorDe: (id: string) => Pick<Setor, 'nome' | 'cor'>
  readonly abertaId: string | undefined
  readonly carregando: boolean
  readonly erro: Error | null
  readonly filtro: Filtro
  readonly onLimpar: () => void
  readonly onAbrir: (id: string) => void
  readonly onTentar: () => void
  readonly rodape: ReactNode
  readonly acaoVazia: ReactNode
}

export function Lista({ conversas, carregando, erro, filtro, ...resto }: ListaProps) {
  if (carregando) return <Esqueleto />
  return (
    <>
      {conversas.length > 0 ? (
        <Linhas {...resto} conversas={conversas} />
      ) : (
        <Suspense>
          <SemLinhas
            erro={erro}
            filtro={filtro}
            acao={resto.acaoVazia}
            onLimpar={resto.onLimpar}
            onTentar={resto.onTentar}
          />
        </Suspense>
      )}
      {resto.rodape}
    </>
  )
}

/** J and K move the focus between rows, also to rows that are not rendered yet. */
function useAndar(conversas: readonly Conversa[], abertaId: string | undefined) {
  const [focada, setFocada] = useState<string | null>(null)
  const pedida = useRef<string | null>(null)
  const andar = (passo: number): void => {
    const atual = document.activeElement?.getAttribute('data-conversa') ?? abertaId
    const indice = conversas.findIndex(({ id }) => id === atual)
    const destino = conversas[indice < 0 ? 0 : Math.min(conversas.length - 1, Math.max(0, indice + passo))]
    if (destino === undefined) return
    pedida.current = destino.id
    setFocada(destino.id)
    focar(destino.id)
  }
  useHotkeys({ j: () => andar(1), k: () => andar(-1) })
  useEffect(() => {
    if (pedida.current === focada && focada !== null) focar(focada)
    pedida.current = null
  }, [focada])
  return { focada, setFocada }
}

function focar(id: string): void {
  document.querySelector<HTMLElement>(`[data-conversa="${CSS.escape(id)}"]`)?.focus()
}

const ADIANTAR_APOS_MS = 80

function useAdiantar() {
  const cliente = useQueryClient()
  const espera = useRef<ReturnType<typeof setTimeout>>(undefined)
  return (evento: SyntheticEvent, jaMs = ADIANTAR_APOS_MS): void => {
    const alvo = evento.target instanceof Element ? evento.target.closest<HTMLElement>('[data-conversa]') : null
    const id = alvo?.dataset['conversa']
    clearTimeout(espera.current)
    if (id === undefined) return
    espera.current = setTimeout(() => {
      void import('./use-mensagens.ts').then(
        ({ adiantarMensagens }) => adiantarMensagens(cliente, id),
        () => undefined,
      )
    }, jaMs)
  }
}

type LinhasProps = Pick<ListaProps, 'quadro' | 'conversas' | 'setorDe' | 'abertaId' | 'onAbrir'>

function Linhas({ quadro, conversas, setorDe, abertaId, onAbrir }: LinhasProps) {
  const { inicio, fim, altura } = useJanela(quadro, conversas.length)
  const { focada, setFocada } = useAndar(conversas, abertaId)
  const adiantar = useAdiantar()
  const desenhadas = conversas.slice(inicio, fim).map((conversa, posicao) => ({ conversa, indice: inicio + posicao }))
  // The focused row stays rendered, or the focus would be lost.
  const comFoco = focada === null ? -1 : conversas.findIndex(({ id }) => id === focada)
  const longe = conversas[comFoco]
  if (longe !== undefined && (comFoco < inicio || comFoco >= fim)) desenhadas.push({ conversa: longe, indice: comFoco })
  return (
    <ul
      aria-label="Conversas"
      className="relative"
      style={{ height: conversas.length * altura }}
      onPointerOver={adiantar}
      onPointerDown={(evento) => adiantar(evento, 0)}
      onFocus={(evento) => {
        adiantar(evento)
        setFocada(evento.target.getAttribute('data-conversa'))
      }}
    >
      {desenhadas.map(({ conversa, indice }) => (
        <li
          key={conversa.id}
          data-linha
          aria-setsize={conversas.length}
          aria-posinset={indice + 1}
          className="absolute inset-x-0"
          style={{ top: indice * altura }}
        >
          <CartaoDaConversa
            conversa={conversa}
            setor={setorDe(conversa.setor)}
            aberta={conversa.id === abertaId}
            onAbrir={onAbrir}
          />
        </li>
      ))}
    </ul>
  )
}
