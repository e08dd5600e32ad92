import {
  desconectarSimuladorRoute,
  digitandoSimuladoRoute,
  enviarSimuladaRoute,
  escanearRoute,
  falhasSimuladorRoute,
  mensagensSimuladasRoute,
} from '@balcao/contract/routes/simulador'
import { digitosDoTelefone, enderecoCanonico } from '#bot/endereco.ts'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { lerMensagem } from './ler-formulario.ts'
import { receberMensagem } from './receber-mensagem.ts'
import { listMensagensDoContato } from './repository.ts'

/** The body is JSON or a form, so the use case parses it. */
const { body: _lidoPeloUsoDoCaso, ...enviarSimuladaSemCorpo } = enviarSimuladaRoute

export function simuladorRoutes(deps: Deps): BoundRoute[] {
  const { db, simulador } = deps
  return [
    bind(escanearRoute, async ({ sessao }) => {
      await simulador.escanear(sessao.contaId)
      return { sucesso: true as const }
    }),
    bind(enviarSimuladaSemCorpo, async ({ sessao, request }) =>
      receberMensagem(deps, sessao.contaId, await lerMensagem(request)),
    ),
    bind(mensagensSimuladasRoute, async ({ sessao, query }) => {
      const digitos = digitosDoTelefone(query.telefone)
      const endereco = enderecoCanonico(digitos, digitos)
      return {
        mensagens: await db.transaction(sessao.contaId, (tx) => listMensagensDoContato(tx, sessao.contaId, endereco)),
      }
    }),
    bind(digitandoSimuladoRoute, async ({ sessao, body }) => {
      await simulador.digitar(sessao.contaId, digitosDoTelefone(body.telefone))
      return { sucesso: true as const }
    }),
    bind(desconectarSimuladorRoute, async ({ sessao }) => {
      await simulador.desconectar(sessao.contaId)
      return { sucesso: true as const }
    }),
    bind(falhasSimuladorRoute, async ({ sessao, body }) => {
      await simulador.falharEnvios(sessao.contaId, body.envios)
      return { envios: body.envios }
    }),
  ]
}
