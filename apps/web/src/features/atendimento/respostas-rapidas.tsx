import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { respostasRapidasRoute } from '@balcao/contract/routes/atendimento-equipe'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'

const STALE_MS = 60_000

function normalizeText(texto: string): string {
  return texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function filterRespostas(respostas: readonly RespostaRapida[], busca: string): readonly RespostaRapida[] {
  const termo = normalizeText(busca.trim())
  const comeca = respostas.filter(({ atalho }) => atalho.startsWith(termo))
  const dizem = respostas.filter(
    ({ atalho, texto }) => !atalho.startsWith(termo) && normalizeText(`${atalho} ${texto}`).includes(termo),
  )
  return [...comeca, ...dizem]
}

export interface QuickReplyList {
  /** Null: no search. */
  readonly found: readonly RespostaRapida[] | null
  readonly loading: boolean
  readonly empty: boolean
  /** The request failed, which differs from an empty list. */
  readonly failed: boolean
  readonly selected: number
  /** Returns true if the list handled the key. */
  readonly onKey: (evento: KeyboardEvent) => boolean
}

export function useQuickReplies(text: string, onUse: (texto: string) => void): QuickReplyList {
  const pedidas = text.startsWith('/') && !text.includes('\n')
  const { data, isPending, isError } = useQuery({
    queryKey: ['atendimento', 'respostas-rapidas'],
    queryFn: ({ signal }) => call(respostasRapidasRoute, { signal }),
    select: ({ respostas }) => respostas,
    enabled: pedidas,
    staleTime: STALE_MS,
    retry: false,
  })
  const [posicao, setPosicao] = useState({ texto: text, indice: 0 })
  const achadas = pedidas ? filterRespostas(data ?? [], text.slice(1)) : null
  // New text moves the selection back to the first reply.
  const indice = posicao.texto === text ? posicao.indice : 0
  const escolhida = Math.max(0, Math.min(indice, (achadas?.length ?? 0) - 1))
  const carregando = pedidas && isPending
  const teclar = (evento: KeyboardEvent): boolean => {
    // While the replies load, Enter must not send the literal `/pix` to the customer.
    if (carregando && evento.key === 'Enter' && !evento.shiftKey) {
      evento.preventDefault()
      return true
    }
    const resposta = achadas?.[escolhida]
    if (achadas === null || resposta === undefined) return false
    if (evento.key === 'ArrowDown' || evento.key === 'ArrowUp') {
      const passo = evento.key === 'ArrowDown' ? 1 : -1
      setPosicao({ texto: text, indice: (escolhida + passo + achadas.length) % achadas.length })
    } else if ((evento.key === 'Enter' && !evento.shiftKey) || evento.key === 'Tab') onUse(resposta.texto)
    else return false
    evento.preventDefault()
    return true
  }
  return {
    found: achadas,
    loading: carregando,
    empty: data?.length === 0,
    failed: isError && data === undefined,
    selected: escolhida,
    onKey: teclar,
  }
}

export interface QuickRepliesProps {
  readonly id: string
  readonly list: QuickReplyList
  readonly onUse: (texto: string) => void
}

export function QuickReplies({ id, list, onUse }: QuickRepliesProps) {
  const { found, loading, empty, failed, selected } = list
  const quadro = useRef<HTMLDivElement>(null)
  useEffect(() => {
    quadro.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  if (found === null) return null
  const caixa = 'relative mb-2 max-h-56 overflow-y-auto rounded-xl border bg-surface p-1 shadow-pop'
  if (found.length === 0) {
    const porque = failed
      ? 'As respostas rápidas não chegaram. Apague a barra e tente de novo, ou escreva a mensagem.'
      : empty
        ? 'Nenhuma resposta rápida ainda. Crie em Equipe e resultados, no alto da aba.'
        : 'Nenhuma resposta rápida com este nome. Esc para escrever outra coisa.'
    return (
      <p role="status" className={`${caixa} px-3 py-2 text-sm text-muted`}>
        {loading ? 'Carregando as respostas rápidas…' : porque}
      </p>
    )
  }
  return (
    <div ref={quadro} id={id} role="listbox" aria-label="Respostas rápidas" className={caixa}>
      {found.map(({ atalho, texto }, posicao) => (
        <button
          key={atalho}
          id={`${id}-${posicao}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={posicao === selected}
          onClick={() => onUse(texto)}
          className="block min-h-11 w-full rounded-lg px-3 py-1.5 text-left text-sm hover:bg-sunken aria-selected:bg-brand-soft"
        >
          <b className="block">/{atalho}</b>
          <span className="block truncate text-muted">{texto}</span>
        </button>
      ))}
    </div>
  )
}
