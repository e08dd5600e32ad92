import { phoneDigits } from '@balcao/contract/entities/telefone'
import {
  desconectarSimuladorRoute,
  digitandoSimuladoRoute,
  enviarSimuladaRoute,
  escanearRoute,
  falhasSimuladorRoute,
  mensagensSimuladasRoute,
} from '@balcao/contract/routes/simulador'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { canonicalAddress } from '#modules/enderecos/index.ts'
import { parseSimulatedMessage, receiveSimulatedMessage } from './receive-message.ts'
import { listMensagensOfContato } from './repository.ts'

/** The body is JSON or a form, so the use case parses it. */
const { body: _bodyParsedByUseCase, ...sendSimulatedRoute } = enviarSimuladaRoute

export function simuladorRoutes(deps: Deps): BoundRoute[] {
  const { db, simulador } = deps
  return [
    bind(escanearRoute, async ({ sessao }) => {
      await simulador.scan(sessao.contaId)
      return { sucesso: true as const }
    }),
    bind(sendSimulatedRoute, async ({ sessao, request }) =>
      receiveSimulatedMessage(deps, sessao.contaId, await parseSimulatedMessage(request, sessao.contaId)),
    ),
    bind(mensagensSimuladasRoute, async ({ sessao, query }) => {
      const digits = phoneDigits(query.telefone)
      const address = canonicalAddress(digits, digits)
      return {
        mensagens: await db.transaction(sessao.contaId, (tx) => listMensagensOfContato(tx, sessao.contaId, address)),
      }
    }),
    bind(digitandoSimuladoRoute, async ({ sessao, body }) => {
      await simulador.type(sessao.contaId, phoneDigits(body.telefone))
      return { sucesso: true as const }
    }),
    bind(desconectarSimuladorRoute, async ({ sessao }) => {
      await simulador.disconnect(sessao.contaId)
      return { sucesso: true as const }
    }),
    bind(falhasSimuladorRoute, async ({ sessao, body }) => {
      await simulador.failSends(sessao.contaId, body.envios)
      return { envios: body.envios }
    }),
  ]
}
