import { ArrowLeft, TextSearch } from 'lucide-react'
import { lazy, type RefObject, Suspense, useEffect, useEffectEvent, useState } from 'react'

const MensagemResults = lazy(async () => ({ default: (await import('./mensagem-results.tsx')).MensagemResults }))

const FoundResults = lazy(async () => ({ default: (await import('#shared/busca/found-results.tsx')).FoundResults }))

const PAUSE_MS = 300

export interface MensagemSearchProps {
  readonly query: string
  readonly field: RefObject<HTMLInputElement | null>
  /** The results replace the list of conversas. */
  readonly active: boolean
  readonly onActive: (active: boolean) => void
}

/** Enter searches the messages, and the arrow down moves from the field to the results. */
function useFieldKeys({ field, active, onActive }: Omit<MensagemSearchProps, 'query'>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Enter' && !active) onActive(true)
    if (event.key !== 'ArrowDown' || !active) return
    event.preventDefault()
    document.querySelector<HTMLElement>('[data-resultados] button')?.focus()
  })
  useEffect(() => {
    const input = field.current
    const listen = (event: KeyboardEvent): void => onKey(event)
    input?.addEventListener('keydown', listen)
    return () => input?.removeEventListener('keydown', listen)
  }, [field])
  // The next search begins with the conversas.
  const end = useEffectEvent(() => onActive(false))
  useEffect(() => () => end(), [])
}

export function MensagemSearch({ query, field, active, onActive }: MensagemSearchProps) {
  const words = query.trim()
  useFieldKeys({ field, active, onActive })
  if (words.length < 2) return null
  return (
    <>
      <button
        type="button"
        className="flex min-h-11 w-full items-center gap-2 border-b px-3 text-left text-sm font-semibold text-brand-ink hover:bg-sunken"
        onClick={() => onActive(!active)}
      >
        {active ? (
          <>
            <ArrowLeft size={16} aria-hidden className="flex-none" />
            Voltar às conversas
          </>
        ) : (
          <>
            <TextSearch size={16} aria-hidden className="flex-none" />
            <span className="min-w-0 truncate">Buscar “{words}” nas mensagens</span>
          </>
        )}
      </button>
      {!active && (
        <Suspense>
          <FoundResults query={words} />
        </Suspense>
      )}
      {active && (
        <Suspense>
          <PausedResults words={words} onLeave={() => field.current?.focus()} />
        </Suspense>
      )}
    </>
  )
}

function PausedResults({ words, onLeave }: { readonly words: string; readonly onLeave: () => void }) {
  const [query, setQuery] = useState(words)
  useEffect(() => {
    const pause = setTimeout(() => setQuery(words), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [words])
  return <MensagemResults query={query} onLeave={onLeave} />
}
