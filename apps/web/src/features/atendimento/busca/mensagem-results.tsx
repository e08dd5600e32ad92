import type { ResultadoBusca } from '@balcao/contract/entities/busca'
import { markTerms, parseSearch, type SearchTerm } from '@balcao/engine/search/words'
import { useNavigate } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { type FoundMensagens, useMensagemSearch } from './use-mensagem-search.ts'

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
  readonly terms: readonly SearchTerm[]
}

function ResultRow({ result, terms }: ResultRowProps) {
  const navigate = useNavigate()
  const { conversaId, mensagemId, cliente, trecho, timestamp, origem } = result
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
        className="grid w-full grid-cols-[minmax(0,1fr)] gap-0.5 px-3 py-2 text-left hover:bg-sunken"
      >
        <span className="flex items-baseline justify-between gap-2">
          <span className="min-w-0 truncate font-semibold">{cliente}</span>
          <time dateTime={timestamp} className="flex-none text-xs text-muted">
            {formatDateTime(timestamp)}
          </time>
        </span>
        <span className="line-clamp-2 text-sm wrap-anywhere">
          <span className="text-muted">{AUTHORS[origem]}: </span>
          {markTerms(trecho, terms).map(({ text, found }, index) =>
            // The parts of a text do not change their order.
            found ? (
              <mark key={index} className="rounded-sm bg-warn-soft font-semibold text-warn-ink">
                {text}
              </mark>
            ) : (
              <span key={index}>{text}</span>
            ),
          )}
        </span>
      </button>
    </li>
  )
}

function MoreResults({ hasMore, loadingMore, loadMore }: FoundMensagens) {
  if (!hasMore) return null
  return (
    <div className="p-3 text-center">
      <Button busy={loadingMore} onClick={loadMore}>
        Mais resultados
      </Button>
    </div>
  )
}

/** The messages, notas and names with all words of the query. */
export function MensagemResults({ query }: { readonly query: string }) {
  const search = useMensagemSearch(query)
  const { found, error, retry } = search
  if (found === undefined) {
    return error === null ? <ResultsSkeleton /> : <ErrorState message={error.message} onRetry={retry} />
  }
  if (found.length === 0) {
    return (
      <EmptyState title="Nenhuma mensagem encontrada" icon={<SearchX size={22} aria-hidden />}>
        Todas as palavras precisam estar na mensagem.
      </EmptyState>
    )
  }
  const terms = parseSearch(query)
  return (
    <>
      <ul aria-label="Mensagens encontradas">
        {found.map((result) => (
          <ResultRow key={result.mensagemId} result={result} terms={terms} />
        ))}
      </ul>
      <MoreResults {...search} />
    </>
  )
}
