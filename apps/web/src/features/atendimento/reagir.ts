import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { reagirRoute } from '@balcao/contract/routes/atendimento-marcas'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { aplicarNasLidas, chaveDasMensagens, type MensagensLidas } from '#shared/dados/mensagens-da-conversa.ts'
import { mudarConversa } from './dados.ts'
import type { Remetente } from './enviar-midia.ts'
import { contarFalha } from './receber.ts'

export interface Reacao {
  readonly conversaId: string
  readonly mensagem: Mensagem
  readonly emoji: string | null
}

type Muda = (mensagem: Mensagem) => Mensagem

function mudar(cliente: QueryClient, { conversaId, mensagem: { id } }: Reacao, muda: Muda): void {
  cliente.setQueryData<MensagensLidas>(chaveDasMensagens(conversaId), (lidas) => {
    const atual = lidas?.paginas.flat().find((uma) => uma.id === id)
    return lidas === undefined || atual === undefined ? lidas : aplicarNasLidas(lidas, muda(atual), true)
  })
  mudarConversa(cliente, conversaId, (conversa) => ({
    ...conversa,
    mensagens: conversa.mensagens.map((uma) => (uma.id === id ? muda(uma) : uma)),
  }))
}

function comReacao({ reacoes = [], reacaoLoja, ...mensagem }: Mensagem, emoji: string | null): Mensagem {
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
function comReacoesDe({ reacoes, reacaoLoja }: Mensagem): Muda {
  return ({ reacoes: _reacoes, reacaoLoja: _loja, ...mensagem }) => ({
    ...mensagem,
    ...(reacoes === undefined ? {} : { reacoes }),
    ...(reacaoLoja === undefined ? {} : { reacaoLoja }),
  })
}

/** Reacts optimistically and reverts on failure. A reaction to a waiting customer also takes the conversa. */
export async function reagir({ cliente, quem }: Remetente, reacao: Reacao): Promise<void> {
  const { conversaId, mensagem, emoji } = reacao
  mudar(cliente, reacao, (atual) => comReacao(atual, emoji))
  try {
    const params = { id: conversaId, mensagemId: mensagem.id }
    const resposta = await call(reagirRoute, { params, body: { emoji } })
    mudar(cliente, reacao, comReacoesDe(resposta.mensagem))
    mudarConversa(cliente, conversaId, (conversa) =>
      conversa.status === 'aguardando'
        ? { ...conversa, status: 'em_atendimento', operadorId: quem.id, operador: quem.nome, naoLidas: 0 }
        : conversa,
    )
  } catch (erro) {
    // Reverts only our reaction, and only if no newer one replaced it.
    mudar(cliente, reacao, (atual) =>
      (atual.reacaoLoja ?? null) === emoji ? comReacao(atual, mensagem.reacaoLoja ?? null) : atual,
    )
    contarFalha(cliente, erro, 'Erro ao reagir à mensagem')
  }
}
