import { ArrowLeft, TextSearch } from 'lucide-react'
import { lazy, type RefObject, Suspense, useEffect, useEffectEvent, useState } from 'react'

const MensagemResults = lazy(async () => ({ default: (await import('./mensagem-results.tsx')).MensagemResults }))

const LinhaSelect = lazy(async () => ({ default: (await import('#shared/conta/linha-select.tsx')).LinhaSelect }))

const FoundResults = lazy(async () => ({ default: (await import('#shared/busca/found-results.tsx')).FoundResults }))

const PAUSE_MS = 300

export interface MensagemSearchProps {
  readonly query: string
  /** The line of the list's filter. Null: all. */
  readonly linha: string | null
  readonly onLinha: (linha: string | null) => void
  readonly field: RefObject<HTMLInputElement | null>
  /** The results replace the list of conversas. */
  readonly active: boolean
  readonly onActive: (active: boolean) => void
}

/** Enter searches the messages, and the arrow down moves from the field to the results. */
function useFieldKeys({ field, active, onActive }: Pick<MensagemSearchProps, 'field' | 'active' | 'onActive'>): void {
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

export function MensagemSearch({ query, linha, onLinha, field, active, onActive }: MensagemSearchProps) {
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
          <div className="px-3 py-2 empty:hidden">
            <LinhaSelect value={linha} onChange={onLinha} />
          </div>
          <PausedResults {...{ words, linha }} onLeave={() => field.current?.focus()} />
        </Suspense>
      )}
    </>
  )
}

interface PausedResultsProps extends Pick<MensagemSearchProps, 'linha'> {
  readonly words: string
  readonly onLeave: () => void
}

function PausedResults({ words, linha, onLeave }: PausedResultsProps) {
  const [query, setQuery] = useState(words)
  useEffect(() => {
    const pause = setTimeout(() => setQuery(words), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [words])
  return <MensagemResults {...{ query, linha, onLeave }} />
}
