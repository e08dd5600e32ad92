import { RESPOSTAS_IA_DIAS } from '@balcao/contract/constants'
import {
  modelosGeminiRoute,
  respostaGeminiRoute,
  testarGeminiRoute,
  usoGeminiRoute,
  validarGeminiRoute,
} from '@balcao/contract/routes/gemini'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { localDay } from '#lib/time.ts'
import { countAttempt, testLimit } from '#modules/auth/index.ts'
import { resolveSentKey, loadConfig } from '#modules/configuracao/index.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { createListModelos } from './modelos.ts'
import { findResposta, readUso } from './repository.ts'
import { testIa } from './test-ia.ts'

export function iaRoutes(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'realtime' | 'vault' | 'ai' | 'settings'>,
): BoundRoute[] {
  const { db, clock, ai } = deps
  const listarModelos = createListModelos(deps)
  return [
    bind(validarGeminiRoute, async ({ sessao: { contaId }, body }) => {
      const { config } = await db.transaction(contaId, async (tx) => {
        await countAttempt(tx, deps, testLimit('chave', contaId))
        return loadConfig(tx, deps, contaId)
      })
      const apiKey = resolveSentKey(config.gemini.apiKey, body.apiKey)
      if (apiKey === '') return { valida: false, erro: 'Nenhuma API Key foi salva ainda' }
      const error = await ai.checkKey(apiKey)
      return error === null ? { valida: true } : { valida: false, erro: error }
    }),
    bind(testarGeminiRoute, ({ sessao, body }) => testIa(deps, sessao, body)),
    bind(modelosGeminiRoute, ({ sessao }) => listarModelos(sessao.contaId)),
    bind(usoGeminiRoute, ({ sessao: { contaId } }) =>
      db.transaction(contaId, async (tx) =>
        readUso(tx, contaId, localDay(clock.now(), await readTimeZone(tx, { contaId }))),
      ),
    ),
    bind(respostaGeminiRoute, async ({ sessao: { contaId }, params }) => {
      const since = new Date(clock.now().getTime() - RESPOSTAS_IA_DIAS * 86_400_000)
      const reply = await db.transaction(contaId, (tx) => findResposta(tx, contaId, params.id, since))
      if (reply === null) throw new AppError('naoEncontrado')
      return { resposta: reply }
    }),
  ]
}
