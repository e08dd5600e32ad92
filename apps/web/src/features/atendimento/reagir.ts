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
  /** Null takes it back. */
  readonly emoji: string | null
}

function trocar(cliente: QueryClient, conversaId: string, mensagem: Mensagem): void {
  cliente.setQueryData<MensagensLidas>(chaveDasMensagens(conversaId), (lidas) =>
    lidas === undefined ? undefined : aplicarNasLidas(lidas, mensagem, true),
  )
  mudarConversa(cliente, conversaId, (conversa) => ({
    ...conversa,
    mensagens: conversa.mensagens.map((uma) => (uma.id === mensagem.id ? mensagem : uma)),
  }))
}

/** As it will stand: the customer's reaction, and ours. */
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

/** At once on screen, taken back when the server does not want it. Reacting to a customer who waits takes the conversation. */
export async function reagir({ cliente, quem }: Remetente, { conversaId, mensagem, emoji }: Reacao): Promise<void> {
  trocar(cliente, conversaId, comReacao(mensagem, emoji))
  try {
    const params = { id: conversaId, mensagemId: mensagem.id }
    const resposta = await call(reagirRoute, { params, body: { emoji } })
    trocar(cliente, conversaId, resposta.mensagem)
    mudarConversa(cliente, conversaId, (conversa) =>
      conversa.status === 'aguardando'
        ? { ...conversa, status: 'em_atendimento', operadorId: quem.id, operador: quem.nome, naoLidas: 0 }
        : conversa,
    )
  } catch (erro) {
    trocar(cliente, conversaId, mensagem)
    contarFalha(cliente, erro, 'Erro ao reagir à mensagem')
  }
}
