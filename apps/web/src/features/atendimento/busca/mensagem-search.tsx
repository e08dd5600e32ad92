import { ArrowLeft, TextSearch } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'

const MensagemResults = lazy(async () => ({ default: (await import('./mensagem-results.tsx')).MensagemResults }))

const SEARCH_MIN = 2
/** Pause in typing before a search. */
const PAUSE_MS = 300
const ROW_CLASS =
  'flex min-h-11 w-full items-center gap-2 border-b px-3 text-left text-sm font-semibold text-brand-ink hover:bg-sunken'

export interface MensagemSearchProps {
  /** Text of the list's search field. */
  readonly query: string
  /** The list of conversas, which the results replace. */
  readonly children: ReactNode
}

/** Offers to search the messages for the typed words. */
export function MensagemSearch({ query, children }: MensagemSearchProps) {
  const [active, setActive] = useState(false)
  const words = query.trim()
  if (words.length < SEARCH_MIN) return children
  if (!active) {
    return (
      <>
        <button type="button" className={ROW_CLASS} onClick={() => setActive(true)}>
          <TextSearch size={16} aria-hidden className="flex-none" />
          <span className="min-w-0 truncate">Buscar “{words}” nas mensagens</span>
        </button>
        {children}
      </>
    )
  }
  return (
    <>
      <button type="button" className={ROW_CLASS} onClick={() => setActive(false)}>
        <ArrowLeft size={16} aria-hidden className="flex-none" />
        Voltar às conversas
      </button>
      <Suspense>
        <PausedResults words={words} />
      </Suspense>
    </>
  )
}

function PausedResults({ words }: { readonly words: string }) {
  const [query, setQuery] = useState(words)
  useEffect(() => {
    const pause = setTimeout(() => setQuery(words), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [words])
  return <MensagemResults query={query} />
}
