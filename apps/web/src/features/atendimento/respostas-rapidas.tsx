import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { respostasRapidasRoute } from '@balcao/contract/routes/atendimento-equipe'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'

const VALEM_MS = 60_000

function simplificar(texto: string): string {
  return texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function filtrar(respostas: readonly RespostaRapida[], busca: string): readonly RespostaRapida[] {
  const termo = simplificar(busca.trim())
  const comeca = respostas.filter(({ atalho }) => atalho.startsWith(termo))
  const dizem = respostas.filter(
    ({ atalho, texto }) => !atalho.startsWith(termo) && simplificar(`${atalho} ${texto}`).includes(termo),
  )
  return [...comeca, ...dizem]
}

export interface ListaDeRespostas {
  /** Null: no search. */
  readonly achadas: readonly RespostaRapida[] | null
  readonly carregando: boolean
  readonly nenhuma: boolean
  /** The request failed, which differs from an empty list. */
  readonly falhou: boolean
  readonly escolhida: number
  /** Returns true if the list handled the key. */
  readonly teclar: (evento: KeyboardEvent) => boolean
}

export function useRespostasRapidas(texto: string, onUsar: (texto: string) => void): ListaDeRespostas {
  const pedidas = texto.startsWith('/') && !texto.includes('\n')
  const { data, isPending, isError } = useQuery({
    queryKey: ['atendimento', 'respostas-rapidas'],
    queryFn: ({ signal }) => call(respostasRapidasRoute, { signal }),
    select: ({ respostas }) => respostas,
    enabled: pedidas,
    staleTime: VALEM_MS,
    retry: false,
  })
  const [posicao, setPosicao] = useState({ texto, indice: 0 })
  const achadas = pedidas ? filtrar(data ?? [], texto.slice(1)) : null
  // New text moves the selection back to the first reply.
  const indice = posicao.texto === texto ? posicao.indice : 0
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
      setPosicao({ texto, indice: (escolhida + passo + achadas.length) % achadas.length })
    } else if ((evento.key === 'Enter' && !evento.shiftKey) || evento.key === 'Tab') onUsar(resposta.texto)
    else return false
    evento.preventDefault()
    return true
  }
  return {
    achadas,
    carregando,
    nenhuma: data?.length === 0,
    falhou: isError && data === undefined,
    escolhida,
    teclar,
  }
}

export interface RespostasRapidasProps {
  readonly id: string
  readonly lista: ListaDeRespostas
  readonly onUsar: (texto: string) => void
}

export function RespostasRapidas({ id, lista, onUsar }: RespostasRapidasProps) {
  const { achadas, carregando, nenhuma, falhou, escolhida } = lista
  const quadro = useRef<HTMLDivElement>(null)
  useEffect(() => {
    quadro.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [escolhida])
  if (achadas === null) return null
  const caixa = 'relative mb-2 max-h-56 overflow-y-auto rounded-xl border bg-surface p-1 shadow-pop'
  if (achadas.length === 0) {
    const porque = falhou
      ? 'As respostas rápidas não chegaram. Apague a barra e tente de novo, ou escreva a mensagem.'
      : nenhuma
        ? 'Nenhuma resposta rápida ainda. Crie em Equipe e resultados, no alto da aba.'
        : 'Nenhuma resposta rápida com este nome. Esc para escrever outra coisa.'
    return (
      <p role="status" className={`${caixa} px-3 py-2 text-sm text-muted`}>
        {carregando ? 'Carregando as respostas rápidas…' : porque}
      </p>
    )
  }
  return (
    <div ref={quadro} id={id} role="listbox" aria-label="Respostas rápidas" className={caixa}>
      {achadas.map(({ atalho, texto }, posicao) => (
        <button
          key={atalho}
          id={`${id}-${posicao}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={posicao === escolhida}
          onClick={() => onUsar(texto)}
          className="block min-h-11 w-full rounded-lg px-3 py-1.5 text-left text-sm hover:bg-sunken aria-selected:bg-brand-soft"
        >
          <b className="block">/{atalho}</b>
          <span className="block truncate text-muted">{texto}</span>
        </button>
      ))}
    </div>
  )
}
