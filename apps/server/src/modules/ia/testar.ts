import type { IaConfig } from '@balcao/contract/entities/config'
import { maskPersonalData } from '@balcao/engine/ia/mascarar'
import { cleanResposta } from '@balcao/engine/ia/resposta'
import { toBotContext } from '#bot/bot-context.ts'
import { loadAccountContext } from '#bot/contextos.ts'
import { localDay } from '#bot/dia.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { resolveSentKey } from '#modules/configuracao/index.ts'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import { buildAiRequest } from './montar-pedido.ts'
import { recordRespostaIa } from './registrar-resposta.ts'

type TestIaDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'realtime' | 'vault' | 'ai' | 'settings'>

export interface IaTest {
  readonly pergunta: string
  /** Unsaved values of the form. Missing fields use the stored values. */
  readonly ia?: { readonly [Campo in keyof IaConfig]?: IaConfig[Campo] | undefined } | undefined
}

/** Asks the provider with the unsaved settings. Throws `iaSemChave` (400) or `iaFalhou` (502). */
export async function testIa(
  deps: TestIaDeps,
  sessao: LoginSession,
  { pergunta, ia: enviada = {} }: IaTest,
): Promise<{ resposta: string; duracaoMs: number }> {
  const { contaId } = sessao
  const guardado = await deps.db.transaction(contaId, (tx) => loadAccountContext(tx, deps, contaId))
  const apiKey = resolveSentKey(guardado.config.gemini.apiKey, enviada.apiKey)
  if (apiKey === '') throw new AppError('iaSemChave')
  const ia: IaConfig = { ...guardado.config.ia, ...withoutMissing(enviada), apiKey }
  const contexto = toBotContext({ ...guardado, config: { ...guardado.config, gemini: { apiKey }, ia } })
  const agora = deps.clock.now()
  const pedido = buildAiRequest({
    ...{ contaId, contatoId: null, contexto, nomeCliente: sessao.nome, agora, midias: [] },
    ...{ historico: [], pergunta: maskPersonalData(pergunta) },
  })
  const inicio = performance.now()
  const resposta = await deps.ai.answer(pedido)
  const duracaoMs = Math.round(performance.now() - inicio)
  const dia = localDay(agora, guardado.fuso)
  await deps.db.transaction(contaId, (tx) =>
    recordRespostaIa(tx, deps, contaId, { request: pedido, answer: resposta, mensagem: null, now: agora, day: dia }),
  )
  return { resposta: customerText(pedido, resposta, ia), duracaoMs }
}

function customerText({ setores }: AiRequest, resposta: AiAnswer, ia: IaConfig): string {
  switch (resposta.tipo) {
    case 'texto': {
      const texto = cleanResposta(resposta.texto)
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

function withoutMissing(enviada: NonNullable<IaTest['ia']>): Partial<IaConfig> {
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
