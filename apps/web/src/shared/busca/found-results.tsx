import { useNavigate } from '@tanstack/react-router'
import { Skeleton } from '#shared/ui/states.tsx'
import { foundEntries, type FoundEntry } from './found-entries.ts'
import { MarkedText } from './marked-text.tsx'
import { useSearchAll } from './use-search-all.ts'

/** Customers, conversas, messages and products for the text of a search field, as buttons. */
export function FoundResults({ query }: { readonly query: string }) {
  const { found, loading, error } = useSearchAll(query)
  const navigate = useNavigate()
  if (error !== null) {
    return (
      <p role="status" className="border-b px-3 py-2 text-sm text-muted">
        A busca em todas as conversas não respondeu. {error.message}
      </p>
    )
  }
  if (found === undefined) {
    return loading ? (
      <div role="status" aria-label="Buscando em todas as conversas" className="border-b p-3">
        <Skeleton className="h-11 w-full" />
      </div>
    ) : null
  }
  const entries = foundEntries(found)
  if (entries.length === 0) return null
  const open = ({ target }: FoundEntry): void => {
    void navigate({ to: '/dashboard', search: { ...target }, resetScroll: false })
  }
  const groups = [...new Set(entries.map(({ group }) => group))]
  return (
    <div role="group" aria-label="Encontrados em todas as conversas" aria-busy={loading}>
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h3 className="px-3 pt-3 pb-1 text-sm font-semibold text-muted">{group}</h3>
          <ul>
            {entries
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <ResultItem key={entry.id} entry={entry} onOpen={() => open(entry)} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function ResultItem({ entry: { title, detail, marcas }, onOpen }: { entry: FoundEntry; onOpen: () => void }) {
  return (
    <li className="border-b">
      <button
        type="button"
        onClick={onOpen}
        className="grid min-h-11 w-full grid-cols-[minmax(0,1fr)] px-3 py-1.5 text-left -outline-offset-2 hover:bg-sunken"
      >
        <span className="truncate font-semibold">{title}</span>
        <span className="line-clamp-2 text-sm wrap-anywhere text-muted">
          <MarkedText text={detail} marcas={marcas} />
        </span>
      </button>
    </li>
  )
}
