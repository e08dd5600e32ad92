import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { useConfig } from '#shared/dados/config.ts'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { usePendentes } from './pendentes.ts'
import { escreverRascunho, useRascunho } from './rascunhos.ts'
import type { LimiteDoDia } from './receber.ts'

function useOnline(): boolean {
  return useSyncExternalStore(
    (ouvinte) => {
      addEventListener('online', ouvinte)
      addEventListener('offline', ouvinte)
      return () => {
        removeEventListener('online', ouvinte)
        removeEventListener('offline', ouvinte)
      }
    },
    () => navigator.onLine,
  )
}

interface RespostaPronta {
  readonly nome: string
  readonly texto: string
}

/** The canned replies of the configuration, by what was typed after the `/`. */
function useRespostasProntas(texto: string): readonly RespostaPronta[] {
  const { config } = useConfig()
  if (!texto.startsWith('/') || texto.includes('\n')) return []
  const { cumprimento, despedida, naoEntendi, transferirHumano } = config.ia.respostasPredefinidas
  const termo = texto.slice(1).trim().toLowerCase()
  return [
    { nome: 'Cumprimento', texto: cumprimento },
    { nome: 'Despedida', texto: despedida },
    { nome: 'Não entendi', texto: naoEntendi },
    { nome: 'Transferir', texto: transferirHumano },
  ].filter((pronta) => pronta.texto !== '' && `${pronta.nome} ${pronta.texto}`.toLowerCase().includes(termo))
}

export interface CompositorProps {
  readonly conversa: Conversa
  readonly limite: LimiteDoDia | null
  /** Nothing can be sent from a local copy. */
  readonly copia: boolean
  readonly onEnviar: (texto: string) => void
  /** Esc: out of the field. */
  readonly onSair: () => void
}

/** Enter sends, Shift+Enter breaks the line, `/` lists the canned replies. What is typed stays with its conversation. */
export function Compositor({ conversa, limite, copia, onEnviar, onSair }: CompositorProps) {
  const campo = useRef<HTMLTextAreaElement>(null)
  const idLista = useId()
  const texto = useRascunho(conversa.id)
  const enviando = usePendentes(conversa.id).some(({ mensagem }) => mensagem.midia === undefined)
  const online = useOnline()
  const prontas = useRespostasProntas(texto)
  const [indice, setIndice] = useState(0)
  const escolhida = Math.min(indice, prontas.length - 1)
  const finalizada = conversa.status === 'finalizada'
  const motivo = finalizada
    ? 'Esta conversa foi finalizada. Ela pode ser lida, não respondida.'
    : copia
      ? 'Sem contato com o servidor: esta é a cópia guardada neste aparelho.'
      : !online
        ? 'Sem internet: o que você escrever fica guardado aqui até poder enviar.'
        : null
  const podeEnviar = motivo === null && limite === null && !enviando && texto.trim() !== ''

  const mudar = (novo: string): void => {
    escreverRascunho(conversa.id, novo)
    setIndice(0)
  }
  const usar = (pronta: RespostaPronta): void => {
    mudar(pronta.texto)
    campo.current?.focus()
  }
  const enviar = (): void => {
    if (!podeEnviar) return
    onEnviar(texto.trim())
    campo.current?.focus()
  }
  const teclar = (evento: KeyboardEvent): void => {
    if (evento.nativeEvent.isComposing) return
    const pronta = prontas[escolhida]
    if (evento.key === 'Escape') {
      evento.stopPropagation()
      if (prontas.length > 0) mudar('')
      else onSair()
    } else if (pronta !== undefined && (evento.key === 'ArrowDown' || evento.key === 'ArrowUp')) {
      evento.preventDefault()
      const passo = evento.key === 'ArrowDown' ? 1 : -1
      setIndice((escolhida + passo + prontas.length) % prontas.length)
    } else if (evento.key === 'Enter' && !evento.shiftKey) {
      evento.preventDefault()
      if (pronta === undefined) enviar()
      else usar(pronta)
    }
  }
  return (
    <div className="bg-surface p-2 sm:p-3">
      {limite !== null && (
        <p role="status" className="mb-2 rounded-lg bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
          Limite diário {formatNumber(limite.usado)}/{formatNumber(limite.limite)} · volta em{' '}
          {formatDateTime(limite.resetEm)}
        </p>
      )}
      {motivo !== null && (
        <p role="status" className="mb-2 rounded-lg bg-sunken px-3 py-2 text-sm text-muted">
          {motivo}
        </p>
      )}
      {prontas.length > 0 && (
        <div
          id={idLista}
          role="listbox"
          aria-label="Respostas prontas"
          className="relative mb-2 max-h-48 overflow-y-auto rounded-xl border bg-surface p-1 shadow-pop"
        >
          {prontas.map((pronta, posicao) => (
            <button
              key={pronta.nome}
              id={`${idLista}-${posicao}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={posicao === escolhida}
              onClick={() => usar(pronta)}
              className="block min-h-11 w-full rounded-lg px-3 py-1.5 text-left text-sm hover:bg-sunken aria-selected:bg-brand-soft"
            >
              <b className="block">{pronta.nome}</b>
              <span className="block truncate text-muted">{pronta.texto}</span>
            </button>
          ))}
        </div>
      )}
      <form
        className="flex items-end gap-2"
        onSubmit={(evento) => {
          evento.preventDefault()
          enviar()
        }}
      >
        <label htmlFor={`${idLista}-campo`} className="sr-only">
          Mensagem para {conversa.cliente.nome}
        </label>
        <textarea
          ref={campo}
          id={`${idLista}-campo`}
          data-compositor
          rows={1}
          className="field max-h-36 min-h-11 flex-1 resize-none [field-sizing:content]"
          placeholder="Escreva uma mensagem"
          autoComplete="off"
          enterKeyHint="send"
          maxLength={TEXTO_MAXIMO}
          disabled={finalizada || limite !== null}
          aria-controls={prontas.length > 0 ? idLista : undefined}
          aria-activedescendant={prontas.length > 0 ? `${idLista}-${escolhida}` : undefined}
          value={texto}
          onChange={({ currentTarget }) => mudar(currentTarget.value)}
          onKeyDown={teclar}
        />
        <Button type="submit" variante="primary" className="min-h-11" disabled={!podeEnviar} ocupado={enviando}>
          {!enviando && <SendHorizontal size={18} aria-hidden />}
          <span className="max-sm:sr-only">{enviando ? 'Enviando...' : 'Enviar'}</span>
        </Button>
      </form>
    </div>
  )
}
