import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { reagirRoute } from '@balcao/contract/routes/atendimento-marcas'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { applyToPages, mensagensKey, type MensagemPages } from '#shared/dados/mensagens-da-conversa.ts'
import { updateCachedConversa } from './dados.ts'
import type { SendContext } from './enviar-midia.ts'
import { showSendFailure } from './receber.ts'

export interface Reaction {
  readonly conversaId: string
  readonly mensagem: Mensagem
  readonly emoji: string | null
}

type MensagemUpdate = (mensagem: Mensagem) => Mensagem

function updateMensagem(cliente: QueryClient, { conversaId, mensagem: { id } }: Reaction, muda: MensagemUpdate): void {
  cliente.setQueryData<MensagemPages>(mensagensKey(conversaId), (lidas) => {
    const atual = lidas?.pages.flat().find((uma) => uma.id === id)
    return lidas === undefined || atual === undefined ? lidas : applyToPages(lidas, muda(atual), true)
  })
  updateCachedConversa(cliente, conversaId, (conversa) => ({
    ...conversa,
    mensagens: conversa.mensagens.map((uma) => (uma.id === id ? muda(uma) : uma)),
  }))
}

function withReaction({ reacoes = [], reacaoLoja, ...mensagem }: Mensagem, emoji: string | null): Mensagem {
  const minha = reacoes.lastIndexOf(reacaoLoja ?? '')
  const delas = reacoes.filter((_, indice) => indice !== minha)
  const todas = emoji === null ? delas : [...delas, emoji]
  return {
    ...mensagem,
    ...(todas.length === 0 ? {} : { reacoes: todas }),
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
  updateMensagem(client, reaction, (atual) => withReaction(atual, emoji))
  try {
    const params = { id: conversaId, mensagemId: mensagem.id }
    const resposta = await call(reagirRoute, { params, body: { emoji } })
    updateMensagem(client, reaction, withReactionsOf(resposta.mensagem))
    updateCachedConversa(client, conversaId, (conversa) =>
      conversa.status === 'aguardando'
        ? { ...conversa, status: 'em_atendimento', operadorId: user.id, operador: user.nome, naoLidas: 0 }
        : conversa,
    )
  } catch (erro) {
    // Reverts only our reaction, and only if no newer one replaced it.
    updateMensagem(client, reaction, (atual) =>
      (atual.reacaoLoja ?? null) === emoji ? withReaction(atual, mensagem.reacaoLoja ?? null) : atual,
    )
    showSendFailure(client, erro, 'Erro ao reagir à mensagem')
  }
}
