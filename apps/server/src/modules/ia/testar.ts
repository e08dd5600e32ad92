import type { IaConfig } from '@balcao/contract/entities/config'
import { mascarar } from '@balcao/engine/ia/mascarar'
import { limparResposta } from '@balcao/engine/ia/resposta'
import { toBotContext } from '#bot/bot-context.ts'
import { loadContexto } from '#bot/contextos.ts'
import { diaLocal } from '#bot/dia.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { chaveEnviada } from '#modules/configuracao/index.ts'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import { montarPedido } from './montar-pedido.ts'
import { registrarRespostaIa } from './registrar-resposta.ts'

type TestarDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'realtime' | 'cofre' | 'ai' | 'settings'>

export interface TesteIa {
  readonly pergunta: string
  /** Unsaved values of the form. Missing fields use the stored values. */
  readonly ia?: { readonly [Campo in keyof IaConfig]?: IaConfig[Campo] | undefined } | undefined
}

/** Asks the provider with the unsaved settings. Throws `iaSemChave` (400) or `iaFalhou` (502). */
export async function testarIa(
  deps: TestarDeps,
  sessao: Sessao,
  { pergunta, ia: enviada = {} }: TesteIa,
): Promise<{ resposta: string; duracaoMs: number }> {
  const { contaId } = sessao
  const guardado = await deps.db.transaction(contaId, (tx) => loadContexto(tx, deps, contaId))
  const apiKey = chaveEnviada(guardado.config.gemini.apiKey, enviada.apiKey)
  if (apiKey === '') throw new AppError('iaSemChave')
  const ia: IaConfig = { ...guardado.config.ia, ...semAusentes(enviada), apiKey }
  const contexto = toBotContext({ ...guardado, config: { ...guardado.config, gemini: { apiKey }, ia } })
  const agora = deps.clock.now()
  const pedido = montarPedido({
    ...{ contaId, contatoId: null, contexto, nomeCliente: sessao.nome, agora, midias: [] },
    ...{ historico: [], pergunta: mascarar(pergunta) },
  })
  const inicio = performance.now()
  const resposta = await deps.ai.answer(pedido)
  const duracaoMs = Math.round(performance.now() - inicio)
  const dia = diaLocal(agora, guardado.fuso)
  await deps.db.transaction(contaId, (tx) =>
    registrarRespostaIa(tx, deps, contaId, { pedido, resposta, mensagem: null, agora, dia }),
  )
  return { resposta: oQueOClienteLeria(pedido, resposta, ia), duracaoMs }
}

function oQueOClienteLeria({ setores }: AiRequest, resposta: AiAnswer, ia: IaConfig): string {
  switch (resposta.tipo) {
    case 'texto': {
      const texto = limparResposta(resposta.texto)
      if (texto === '') throw new AppError('iaFalhou')
      return texto
    }
    case 'transferir': {
      const nome = setores.find(({ id }) => id === resposta.setor)?.nome ?? resposta.setor
      return `${ia.respostasPredefinidas.transferirHumano}\n\n(A conversa iria para o setor ${nome}.)`.trim()
    }
    case 'falha':
      throw new AppError('iaFalhou', { erro: `A IA não respondeu: ${resposta.motivo}.` })
    default:
      return resposta satisfies never
  }
}

function semAusentes(enviada: NonNullable<TesteIa['ia']>): Partial<IaConfig> {
  const { ativa, promptTreinamento, modeloGemini, temperaturaResposta, comportamentos, gatilhos } = enviada
  const { respostasPredefinidas, esperaSegundos } = enviada
  return {
    ...(ativa === undefined ? {} : { ativa }),
    ...(promptTreinamento === undefined ? {} : { promptTreinamento }),
    ...(modeloGemini === undefined ? {} : { modeloGemini }),
    ...(temperaturaResposta === undefined ? {} : { temperaturaResposta }),
    ...(comportamentos === undefined ? {} : { comportamentos }),
    ...(gatilhos === undefined ? {} : { gatilhos }),
    ...(respostasPredefinidas === undefined ? {} : { respostasPredefinidas }),
    ...(esperaSegundos === undefined ? {} : { esperaSegundos }),
  }
}
