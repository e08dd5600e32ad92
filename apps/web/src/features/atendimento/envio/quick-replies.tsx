import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { respostasRapidasRoute } from '@balcao/contract/routes/atendimento-equipe'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'

const STALE_MS = 60_000

function filterRespostas(respostas: readonly RespostaRapida[], search: string): readonly RespostaRapida[] {
  const term = foldAccents(search.trim())
  const byName = respostas.filter(({ atalho }) => atalho.startsWith(term))
  const byText = respostas.filter(
    ({ atalho, texto }) => !atalho.startsWith(term) && foldAccents(`${atalho} ${texto}`).includes(term),
  )
  return [...byName, ...byText]
}

export interface QuickReplyList {
  readonly found: readonly RespostaRapida[] | null
  readonly loading: boolean
  readonly empty: boolean
  readonly failed: boolean
  readonly selected: number
  readonly onKey: (event: KeyboardEvent) => boolean
}

/** Action of a key while choices are listed above the field: insert, or move by a step. Undefined: the key is not for the list. */
export function listKey({ key, shiftKey }: KeyboardEvent): 'use' | 1 | -1 | undefined {
  if (key === 'ArrowDown') return 1
  if (key === 'ArrowUp') return -1
  return (key === 'Enter' && !shiftKey) || key === 'Tab' ? 'use' : undefined
}

export function useQuickReplies(text: string, onUse: (text: string) => void): QuickReplyList {
  const requested = text.startsWith('/') && !text.includes('\n')
  const { data, isPending, isError } = useQuery({
    queryKey: ['atendimento', 'respostas-rapidas'],
    queryFn: ({ signal }) => call(respostasRapidasRoute, { signal }),
    select: ({ respostas }) => respostas,
    enabled: requested,
    staleTime: STALE_MS,
    retry: false,
  })
  const [position, setPosition] = useState({ text, index: 0 })
  const found = requested ? filterRespostas(data ?? [], text.slice(1)) : null
  const count = found?.length ?? 0
  // New text moves the selection back to the first reply.
  const selected = Math.max(0, Math.min(position.text === text ? position.index : 0, count - 1))
  const loading = requested && isPending
  const onKey = (event: KeyboardEvent): boolean => {
    // While the replies load, Enter must not send the literal `/pix` to the customer.
    if (loading && event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      return true
    }
    const reply = found?.[selected]
    const action = listKey(event)
    if (reply === undefined || action === undefined) return false
    event.preventDefault()
    if (action === 'use') onUse(reply.texto)
    else setPosition({ text, index: (selected + action + count) % count })
    return true
  }
  return { found, loading, empty: data?.length === 0, failed: isError && data === undefined, selected, onKey }
}

export interface QuickRepliesProps {
  readonly id: string
  readonly list: QuickReplyList
  /** Replaces `{linha}` in the shown text. Undefined while the account has one line. */
  readonly linha: string | undefined
  readonly onUse: (text: string) => void
}

export function QuickReplies({ id, list, linha, onUse }: QuickRepliesProps) {
  const { found, loading, empty, failed, selected } = list
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    frame.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  if (found === null) return null
  const box = 'relative mb-2 max-h-56 overflow-y-auto rounded-xl border bg-surface p-1 shadow-pop'
  if (found.length === 0) {
    const reason = failed
      ? 'As respostas rápidas não chegaram. Apague a barra e tente de novo, ou escreva a mensagem.'
      : empty
        ? 'Nenhuma resposta rápida ainda. Crie em Equipe e resultados, no alto da aba.'
        : 'Nenhuma resposta rápida com este nome. Esc para escrever outra coisa.'
    return (
      <p role="status" className={`${box} px-3 py-2 text-sm text-muted`}>
        {loading ? 'Carregando as respostas rápidas…' : reason}
      </p>
    )
  }
  return (
    <div ref={frame} id={id} role="listbox" aria-label="Respostas rápidas" className={box}>
      {found.map(({ atalho, texto }, position) => (
        <button
          key={atalho}
          id={`${id}-${position}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={position === selected}
          onClick={() => onUse(texto)}
          className="block min-h-11 w-full rounded-lg px-3 py-1.5 text-left text-sm hover:bg-sunken aria-selected:bg-brand-soft"
        >
          <b className="block">/{atalho}</b>
          <span className="block truncate text-muted">
            {linha === undefined ? texto : texto.replaceAll('{linha}', linha)}
          </span>
        </button>
      ))}
    </div>
  )
}
