import type { IaConfig } from '@balcao/contract/entities/config'
import { withStored } from '@balcao/contract/entities/config-input'
import { maskPersonalData } from '@balcao/engine/ia/masking'
import { cleanResposta } from '@balcao/engine/ia/resposta'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { localDay } from '#lib/time.ts'
import { resolveSentKey } from '#modules/configuracao/index.ts'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import { loadAccountContext, toBotContext, buildAiRequest } from './account-context.ts'
import { recordRespostasIa } from './respostas.ts'

type TestIaDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'realtime' | 'vault' | 'ai' | 'settings'>

export interface IaTest {
  readonly pergunta: string
  readonly ia?: { readonly [Campo in keyof IaConfig]?: IaConfig[Campo] | undefined } | undefined
}

/** Asks the provider with the unsaved settings. Throws `iaSemChave` (400) or `iaFalhou` (502). */
export async function testIa(
  deps: TestIaDeps,
  session: LoginSession,
  { pergunta, ia: sent = {} }: IaTest,
): Promise<{ resposta: string; duracaoMs: number }> {
  const { contaId } = session
  const stored = await deps.db.transaction(contaId, (tx) => loadAccountContext(tx, deps, contaId))
  const apiKey = resolveSentKey(stored.config.gemini.apiKey, sent.apiKey)
  if (apiKey === '') throw new AppError('iaSemChave')
  const ia: IaConfig = { ...withStored(stored.config.ia, sent), apiKey }
  const context = toBotContext({ ...stored, config: { ...stored.config, gemini: { apiKey }, ia } })
  const now = deps.clock.now()
  const request = buildAiRequest({
    ...{ contaId, contatoId: null, contexto: context, nomeCliente: session.nome, agora: now, midias: [] },
    ...{ historico: [], pergunta: maskPersonalData(pergunta) },
  })
  const start = performance.now()
  const reply = await deps.ai.answer(request)
  const duracaoMs = Math.round(performance.now() - start)
  const dia = localDay(now, stored.fuso)
  await deps.db.transaction(contaId, (tx) =>
    recordRespostasIa(tx, deps, [{ contaId, request, answer: reply, mensagem: null, now, day: dia }]),
  )
  return { resposta: customerText(request, reply, ia), duracaoMs }
}

function customerText({ setores }: AiRequest, reply: AiAnswer, ia: IaConfig): string {
  switch (reply.tipo) {
    case 'texto': {
      const text = cleanResposta(reply.texto)
      if (text === '') throw new AppError('iaFalhou')
      return text
    }
    case 'transferir': {
      const name = setores.find(({ id }) => id === reply.setor)?.nome ?? reply.setor
      return `${ia.respostasPredefinidas.transferirHumano}\n\n(A conversa iria para o setor ${name}.)`.trim()
    }
    case 'falha':
      throw new AppError('iaFalhou', { erro: `A IA não respondeu: ${reply.motivo}.` })
    default:
      return reply satisfies never
  }
}
