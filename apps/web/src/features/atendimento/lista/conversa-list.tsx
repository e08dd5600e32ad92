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
import { ConversaCard } from './conversa-card.tsx'
import type { ConversaListFilter, ConversaStatusFilter } from './filters.ts'
import { useVirtualRange } from './use-virtual-range.ts'

const EmptyConversaList = lazy(async () => ({ default: (await import('./empty-states.tsx')).EmptyConversaList }))

const STATUS_FILTERS: readonly { readonly valor: ConversaStatusFilter; readonly rotulo: string }[] = [
  { valor: 'todos', rotulo: 'Todas' },
  { valor: 'aguardando', rotulo: 'Aguardando' },
  { valor: 'em_atendimento', rotulo: 'Em atendimento' },
  { valor: 'finalizada', rotulo: 'Finalizadas' },
]

export interface FilterBarProps {
  readonly filter: ConversaListFilter
  readonly onChange: (filtro: ConversaListFilter) => void
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly ownSetores: readonly string[] | null
}

const PILL_CLASS =
  'min-h-11 flex-none rounded-full border px-3 text-sm lg:min-h-8 lg:px-2.5 font-semibold text-muted hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink'

export const FilterBar = memo(function FiltrosDaLista({
  filter,
  onChange: onMudar,
  inputRef,
  ownSetores,
}: FilterBarProps) {
  return (
    <div className="grid gap-2 border-b p-3">
      <label className="relative block">
        <span className="sr-only">Buscar por nome ou telefone</span>
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        />
        <input
          ref={inputRef}
          type="search"
          className="field pl-9"
          placeholder="Nome ou telefone"
          autoComplete="off"
          value={filter.busca}
          onChange={({ currentTarget }) => onMudar({ ...filter, busca: currentTarget.value })}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape' && filter.busca === '') currentTarget.blur()
          }}
        />
      </label>
      <div
        role="group"
        aria-label="Status"
        className="relative -mx-3 flex gap-1.5 overflow-x-auto px-3 py-1 lg:flex-wrap"
      >
        {ownSetores !== null && (
          <button
            type="button"
            aria-pressed={filter.ownSetores !== null}
            onClick={() => onMudar({ ...filter, ownSetores: filter.ownSetores === null ? ownSetores : null })}
            className={PILL_CLASS}
          >
            Meus setores
          </button>
        )}
        {STATUS_FILTERS.map(({ valor, rotulo }) => (
          <button
            key={valor}
            type="button"
            aria-pressed={filter.status === valor}
            onClick={() => onMudar({ ...filter, status: valor })}
            className={PILL_CLASS}
          >
            {rotulo}
          </button>
        ))}
      </div>
    </div>
  )
})

function ConversaListSkeleton() {
  return (
    <div role="status" aria-label="Carregando as conversas" aria-busy="true">
      {[0, 1, 2, 3, 4].map((line) => (
        <div key={line} className="flex gap-3 border-b px-3 py-2.5">
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

export interface ConversaListProps {
  readonly scroller: RefObject<HTMLElement | null>
  readonly conversas: readonly Conversa[]
  readonly setorOf: (id: string) => Pick<Setor, 'nome' | 'cor'>
  readonly openId: string | undefined
  readonly loading: boolean
  readonly error: Error | null
  readonly filter: ConversaListFilter
  readonly onClear: () => void
  readonly onOpen: (id: string) => void
  readonly onRetry: () => void
  readonly footer: ReactNode
  readonly emptyAction: ReactNode
}

export function ConversaList({ conversas, loading, error, filter, ...rest }: ConversaListProps) {
  if (loading) return <ConversaListSkeleton />
  return (
    <>
      {conversas.length > 0 ? (
        <ConversaRows {...rest} conversas={conversas} />
      ) : (
        <Suspense>
          <EmptyConversaList
            error={error}
            filter={filter}
            action={rest.emptyAction}
            onClear={rest.onClear}
            onRetry={rest.onRetry}
          />
        </Suspense>
      )}
      {rest.footer}
    </>
  )
}

/** J and K move the focus between rows, also to rows that are not rendered yet. */
function useRowNavigation(conversas: readonly Conversa[], abertaId: string | undefined) {
  const [focada, setFocada] = useState<string | null>(null)
  const requested = useRef<string | null>(null)
  const advance = (step: number): void => {
    const atual = document.activeElement?.getAttribute('data-conversa') ?? abertaId
    const index = conversas.findIndex(({ id }) => id === atual)
    const destination = conversas[index < 0 ? 0 : Math.min(conversas.length - 1, Math.max(0, index + step))]
    if (destination === undefined) return
    requested.current = destination.id
    setFocada(destination.id)
    focusRow(destination.id)
  }
  useHotkeys({ j: () => advance(1), k: () => advance(-1) })
  useEffect(() => {
    if (requested.current === focada && focada !== null) focusRow(focada)
    requested.current = null
  }, [focada])
  return { focada, setFocada }
}

function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`[data-conversa="${CSS.escape(id)}"]`)?.focus()
}

const PREFETCH_AFTER_MS = 80

function usePrefetchChat() {
  const cliente = useQueryClient()
  const wait = useRef<ReturnType<typeof setTimeout>>(undefined)
  return (event: SyntheticEvent, jaMs = PREFETCH_AFTER_MS): void => {
    const alvo = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-conversa]') : null
    const id = alvo?.dataset['conversa']
    clearTimeout(wait.current)
    if (id === undefined) return
    wait.current = setTimeout(() => {
      void import('#features/atendimento/conversa/use-mensagens.ts').then(
        ({ prefetchMensagens }) => prefetchMensagens(cliente, id),
        () => undefined,
      )
    }, jaMs)
  }
}

type ConversaRowsProps = Pick<ConversaListProps, 'scroller' | 'conversas' | 'setorOf' | 'openId' | 'onOpen'>

function ConversaRows({ scroller, conversas, setorOf, openId, onOpen }: ConversaRowsProps) {
  const { start, end, height: altura } = useVirtualRange(scroller, conversas.length)
  const { focada, setFocada } = useRowNavigation(conversas, openId)
  const adiantar = usePrefetchChat()
  const desenhadas = conversas.slice(start, end).map((conversa, position) => ({ conversa, indice: start + position }))
  // The focused row stays rendered, or the focus would be lost.
  const comFoco = focada === null ? -1 : conversas.findIndex(({ id }) => id === focada)
  const longe = conversas[comFoco]
  if (longe !== undefined && (comFoco < start || comFoco >= end)) desenhadas.push({ conversa: longe, indice: comFoco })
  return (
    <ul
      aria-label="Conversas"
      className="relative"
      style={{ height: conversas.length * altura }}
      onPointerOver={adiantar}
      onPointerDown={(event) => adiantar(event, 0)}
      onFocus={(event) => {
        adiantar(event)
        setFocada(event.target.getAttribute('data-conversa'))
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
          <ConversaCard
            conversa={conversa}
            setor={setorOf(conversa.setor)}
            open={conversa.id === openId}
            onOpen={onOpen}
          />
        </li>
      ))}
    </ul>
  )
}
