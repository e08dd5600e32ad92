import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { reagirRoute } from '@balcao/contract/routes/atendimento-reactions'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { applyToPages, mensagensKey, type MensagemPages } from '#shared/data/mensagem-pages.ts'
import { updateCachedConversa } from './lista/use-conversas.ts'
import type { SendContext } from './enviar-midia.ts'
import { showSendFailure } from './envio/send-result.ts'

export interface Reaction {
  readonly conversaId: string
  readonly mensagem: Mensagem
  readonly emoji: string | null
}

type MensagemUpdate = (mensagem: Mensagem) => Mensagem

function updateMensagem(cliente: QueryClient, { conversaId, mensagem: { id } }: Reaction, muda: MensagemUpdate): void {
  cliente.setQueryData<MensagemPages>(mensagensKey(conversaId), (parsed) => {
    const current = parsed?.pages.flat().find((uma) => uma.id === id)
    return parsed === undefined || current === undefined ? parsed : applyToPages(parsed, muda(current), true)
  })
  updateCachedConversa(cliente, conversaId, (conversa) => ({
    ...conversa,
    mensagens: conversa.mensagens.map((uma) => (uma.id === id ? muda(uma) : uma)),
  }))
}

function withReaction({ reacoes = [], reacaoLoja, ...mensagem }: Mensagem, emoji: string | null): Mensagem {
  const mine = reacoes.lastIndexOf(reacaoLoja ?? '')
  const delas = reacoes.filter((_, index) => index !== mine)
  const all = emoji === null ? delas : [...delas, emoji]
  return {
    ...mensagem,
    ...(all.length === 0 ? {} : { reacoes: all }),
    ...(emoji === null ? {} : { reacaoLoja: emoji }),
  }
}

/** Takes only the reactions from the response: other changes arrive by socket and may be newer. */
function withReactionsOf({ reacoes, reacaoLoja }: Mensagem): MensagemUpdate {
  return ({ reacoes: _reacoes, reacaoLoja: _loja, ...mensagem }) => ({
    ...mensagem,
    ...(reacoes === undefined ? {} : { reacoes }),
    ...(reacaoLoja === undefined ? {} : { reacaoLoja }),
  })
}

/** Reacts optimistically and reverts on failure. A reaction to a waiting customer also takes the conversa. */
export async function sendReaction({ client, user }: SendContext, reaction: Reaction): Promise<void> {
  const { conversaId, mensagem, emoji } = reaction
  updateMensagem(client, reaction, (current) => withReaction(current, emoji))
  try {
    const params = { id: conversaId, mensagemId: mensagem.id }
    const reply = await call(reagirRoute, { params, body: { emoji } })
    updateMensagem(client, reaction, withReactionsOf(reply.mensagem))
    updateCachedConversa(client, conversaId, (conversa) =>
      conversa.status === 'aguardando'
        ? { ...conversa, status: 'em_atendimento', operadorId: user.id, operador: user.nome, naoLidas: 0 }
        : conversa,
    )
  } catch (error) {
    // Reverts only our reaction, and only if no newer one replaced it.
    updateMensagem(client, reaction, (current) =>
      (current.reacaoLoja ?? null) === emoji ? withReaction(current, mensagem.reacaoLoja ?? null) : current,
    )
    showSendFailure(client, error, 'Erro ao reagir à mensagem')
  }
}
