import { CONNECTORS } from '@balcao/contract/connectors'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { reagirRoute } from '@balcao/contract/routes/atendimento-reactions'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { setQuoted, useQuoted } from '#features/atendimento/envio/drafts.ts'
import { showSendFailure, showTaken } from '#features/atendimento/envio/send-result.ts'
import { call } from '#shared/api-client.ts'
import { useBotStatus } from '#shared/data/bot-status.ts'
import { updateKnown } from '#shared/data/conversas/known-conversas.ts'
import { applyToPages, mensagensKey, type MensagemPages } from '#shared/data/conversas/mensagem-pages.ts'
import { useUsuario } from '#shared/session.tsx'

export interface ChosenMensagem {
  readonly mensagem: Mensagem
  readonly button: HTMLElement
}

/** True if the service has an id for the mensagem, so it can be quoted or reacted to. */
export function hasServiceId({ temporaria, estado, apagada, ligacao }: Mensagem): boolean {
  const stopped = estado === 'pendente' || estado === 'falhou' || estado === 'limite'
  return temporaria !== true && apagada !== true && ligacao === undefined && !stopped
}

const NO_CONNECTOR = { marks: false, changesSent: false }

export interface MensagemMarking {
  readonly chosen: ChosenMensagem | null
  /** Undefined for a chat from the device's copy. Otherwise stable. */
  readonly choose: ((mensagem: Mensagem, button: HTMLElement) => void) | undefined
  /** The connector supports replies and reactions, and the user may write. */
  readonly canMark: boolean
  /** The connector edits and deletes sent mensagens. */
  readonly canChange: boolean
  readonly close: () => void
  readonly quoted: Mensagem | null
  readonly quote: (mensagem: Mensagem | null) => void
}

export function useMensagemActions(
  { id, teste }: Conversa,
  { writable, fromCopy }: { readonly writable: boolean; readonly fromCopy: boolean },
): MensagemMarking {
  const { conector } = useBotStatus().bot
  const [chosen, setChosen] = useState<ChosenMensagem | null>(null)
  const quoted = useQuoted(id)
  const { marks, changesSent } = conector === undefined ? NO_CONNECTOR : CONNECTORS[conector]
  const allowed = writable && (teste || marks)
  const choose = useCallback((mensagem: Mensagem, button: HTMLElement) => setChosen({ mensagem, button }), [])
  return {
    chosen: fromCopy ? null : chosen,
    choose: fromCopy ? undefined : choose,
    canMark: allowed,
    canChange: teste || changesSent,
    close: () => setChosen(null),
    quoted: allowed ? quoted : null,
    quote: (mensagem) => setQuoted(id, mensagem),
  }
}

type MensagemUpdate = (mensagem: Mensagem) => Mensagem

function updateMensagem(client: QueryClient, conversaId: string, id: string, update: MensagemUpdate): void {
  client.setQueryData<MensagemPages>(mensagensKey(conversaId), (read) => {
    const current = read?.pages.flat().find((mensagem) => mensagem.id === id)
    return read === undefined || current === undefined ? read : applyToPages(read, update(current), true)
  })
  updateKnown(client, conversaId, (conversa) => ({
    ...conversa,
    mensagens: conversa.mensagens.map((mensagem) => (mensagem.id === id ? update(mensagem) : mensagem)),
  }))
}

function withReaction({ reacoes = [], reacaoLoja, ...mensagem }: Mensagem, emoji: string | null): Mensagem {
  const mine = reacoes.lastIndexOf(reacaoLoja ?? '')
  const others = reacoes.filter((_, index) => index !== mine)
  const all = emoji === null ? others : [...others, emoji]
  return {
    ...mensagem,
    ...(all.length === 0 ? {} : { reacoes: all }),
    ...(emoji === null ? {} : { reacaoLoja: emoji }),
  }
}

/**
 * Takes only the reactions from the response: other changes arrive by socket and may be newer. Reactions of a greater
 * `revisao` arrived before it and stay.
 */
function withReactionsOf({ revisao = 0, reacoes, reacaoLoja }: Mensagem): MensagemUpdate {
  return (current) => {
    if ((current.revisao ?? 0) > revisao) return current
    const { reacoes: _reacoes, reacaoLoja: _loja, ...mensagem } = current
    return {
      ...{ ...mensagem, revisao },
      ...(reacoes === undefined ? {} : { reacoes }),
      ...(reacaoLoja === undefined ? {} : { reacaoLoja }),
    }
  }
}

/** Reacts optimistically and reverts on failure. A reaction to a waiting customer also takes the conversa. */
export function useReact(conversaId: string): (mensagem: Mensagem, emoji: string | null) => Promise<void> {
  const client = useQueryClient()
  const user = useUsuario()
  return async (mensagem, emoji) => {
    const { id } = mensagem
    updateMensagem(client, conversaId, id, (current) => withReaction(current, emoji))
    try {
      const reply = await call(reagirRoute, { params: { id: conversaId, mensagemId: id }, body: { emoji } })
      updateMensagem(client, conversaId, id, withReactionsOf(reply.mensagem))
      showTaken(client, conversaId, user)
    } catch (error) {
      // Reverts only our reaction, and only if no newer one replaced it.
      updateMensagem(client, conversaId, id, (current) =>
        (current.reacaoLoja ?? null) === emoji ? withReaction(current, mensagem.reacaoLoja ?? null) : current,
      )
      showSendFailure(client, error, 'Erro ao reagir à mensagem')
    }
  }
}
