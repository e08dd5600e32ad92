import type { ResultadoBusca } from '@balcao/contract/entities/busca'
import { buscarMensagensRoute } from '@balcao/contract/routes/atendimento-busca'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SearchX, WifiOff } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { MarkedText } from '#shared/busca/marked-text.tsx'
import { formatDateTime } from '#shared/format.ts'
import { hotkeysEnabled } from '#shared/hooks/use-hotkeys.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'

const PAGE_SIZE = 40

function useMensagemSearch(q: string, linha: string | null) {
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['busca', q, linha],
      queryFn: ({ pageParam, signal }) =>
        call(buscarMensagensRoute, {
          query: {
            q,
            limite: PAGE_SIZE,
            ...(linha === null ? {} : { linha }),
            ...(pageParam === '' ? {} : { cursor: pageParam }),
          },
          signal,
        }),
      initialPageParam: '',
      getNextPageParam: ({ proximoCursor }) => proximoCursor,
      networkMode: 'always',
      refetchOnReconnect: true,
      // New messages arrive while the person reads the results; opening the search again reads them.
      staleTime: 0,
      gcTime: 60_000,
    })
  return {
    found: data?.pages.flatMap(({ resultados }) => resultados),
    error,
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    moreFailed: isFetchNextPageError,
    loadMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  }
}

type FoundMensagens = ReturnType<typeof useMensagemSearch>

const AUTHORS: Readonly<Record<ResultadoBusca['origem'], string>> = {
  cliente: 'Cliente',
  bot: 'Bot',
  ia: 'Bot',
  operador: 'Atendente',
  celular: 'Celular',
  nota: 'Nota',
}

function ResultsSkeleton() {
  return (
    <div role="status" aria-label="Buscando nas mensagens" aria-busy="true">
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="grid gap-1.5 border-b px-3 py-2.5">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
  )
}

interface ResultRowProps {
  readonly result: ResultadoBusca
}

function ResultRow({ result }: ResultRowProps) {
  const navigate = useNavigate()
  const { conversaId, mensagemId, cliente, trecho, marcas, timestamp, origem } = result
  const open = (): void =>
    void navigate({
      to: '/dashboard',
      search: { aba: 'atendimento', c: conversaId, m: mensagemId },
      resetScroll: false,
    })
  return (
    <li className="border-b">
      <button
        type="button"
        onClick={open}
        className="grid w-full grid-cols-[minmax(0,1fr)] gap-0.5 px-3 py-2 text-left -outline-offset-2 hover:bg-sunken"
      >
        <span className="flex items-baseline justify-between gap-2">
          <span className="min-w-0 truncate font-semibold">{cliente}</span>
          <time dateTime={timestamp} className="flex-none text-xs text-muted">
            {formatDateTime(timestamp)}
          </time>
        </span>
        <span className="line-clamp-2 text-sm wrap-anywhere">
          <span className="text-muted">{AUTHORS[origem]}: </span>
          <MarkedText text={trecho} marcas={marcas} />
        </span>
      </button>
    </li>
  )
}

function MoreResults({ hasMore, loadingMore, moreFailed, loadMore }: FoundMensagens) {
  if (!hasMore) return null
  return (
    <div className="p-3 text-center">
      {moreFailed && (
        <p role="alert" className="mb-2 text-sm font-semibold text-danger-ink">
          Os outros resultados não chegaram.
        </p>
      )}
      <Button busy={loadingMore} onClick={loadMore}>
        {moreFailed ? 'Tentar de novo' : 'Mais resultados'}
      </Button>
    </div>
  )
}

function SearchFailure({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  const offline = error instanceof ApiError && error.status === 0
  if (!offline) return <ErrorState message={error.message} onRetry={retry} />
  return (
    <div role="alert">
      <EmptyState
        title="Sem conexão com o servidor"
        icon={<WifiOff size={22} aria-hidden />}
        action={<Button onClick={retry}>Tentar de novo</Button>}
      >
        As mensagens ficam no servidor. A busca por nome e telefone continua na lista.
      </EmptyState>
    </div>
  )
}

const ARROWS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
const LETTERS: Readonly<Record<string, number>> = { j: 1, k: -1 }

/** Arrows and J, K move between the results. Above the first one and with Esc the focus returns to the field. */
function moveFocus(event: KeyboardEvent<HTMLElement>, onLeave: () => void): void {
  const step = ARROWS[event.key] ?? (hotkeysEnabled() ? LETTERS[event.key] : undefined)
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.findIndex((button) => button === document.activeElement)
  if (index < 0 || (step === undefined && event.key !== 'Escape')) return
  event.preventDefault()
  event.stopPropagation()
  if (step === undefined || index + step < 0) onLeave()
  else buttons[index + step]?.focus()
}

interface MensagemResultsProps {
  readonly query: string
  /** Null: all lines. */
  readonly linha: string | null
  readonly onLeave: () => void
}

export function MensagemResults({ query, linha, onLeave }: MensagemResultsProps) {
  const search = useMensagemSearch(query, linha)
  return (
    <div data-resultados role="group" aria-label="Resultados da busca" onKeyDown={(event) => moveFocus(event, onLeave)}>
      <Results search={search} filtered={linha !== null} />
    </div>
  )
}

function Results({ search, filtered }: { readonly search: FoundMensagens; readonly filtered: boolean }) {
  const { found, error, retry } = search
  if (found === undefined) {
    return error === null ? <ResultsSkeleton /> : <SearchFailure error={error} retry={retry} />
  }
  if (found.length === 0) {
    return (
      <>
        <div role="status">
          <EmptyState title="Nenhuma mensagem encontrada" icon={<SearchX size={22} aria-hidden />}>
            {search.hasMore
              ? 'Ainda há mensagens mais antigas para procurar.'
              : filtered
                ? 'A busca está só em uma linha. Escolha outra, ou todas as linhas.'
                : 'Todas as palavras precisam estar na mensagem ou no nome do cliente.'}
          </EmptyState>
        </div>
        <MoreResults {...search} />
      </>
    )
  }
  return (
    <>
      <p role="status" className="sr-only">
        {found.length === 1 ? '1 resultado' : `${found.length} resultados`}
      </p>
      <ul aria-label="Mensagens encontradas">
        {found.map((result) => (
          <ResultRow key={result.mensagemId} result={result} />
        ))}
      </ul>
      <MoreResults {...search} />
    </>
  )
}
