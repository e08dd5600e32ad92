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
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { listLineFacts, readMainLine } from '#modules/contas/index.ts'
import { canonicalAddress } from '#modules/enderecos/index.ts'
import type { LineKey } from '#ports/bots.ts'
import { parseSimulatedMessage, receiveSimulatedMessage } from './receive-message.ts'
import { listMensagensOfContato } from './repository.ts'

/** The body is JSON or a form, so the use case parses it. */
const { body: _bodyParsedByUseCase, ...sendSimulatedRoute } = enviarSimuladaRoute

interface NamedLine {
  readonly linhaId?: string | undefined
}

export function simuladorRoutes(deps: Deps): BoundRoute[] {
  const { db, simulador } = deps
  /** Throws `naoEncontrado` for a line of another account. */
  const lineOf = async ({ contaId }: Pick<LineKey, 'contaId'>, ...named: readonly NamedLine[]): Promise<LineKey> => {
    const linhaId = named.map((one) => one.linhaId).find((one) => one !== undefined)
    if (linhaId === undefined) return db.read(contaId, (tx) => readMainLine(tx, contaId))
    const linhas = await db.read(contaId, (tx) => listLineFacts(tx, { contaId }))
    if (!linhas.some(({ id }) => id === linhaId)) throw new AppError('naoEncontrado')
    return { contaId, linhaId }
  }
  return [
    bind(escanearRoute, async ({ sessao, query, body }) => {
      await simulador.scan(await lineOf(sessao, query, body))
      return { sucesso: true as const }
    }),
    bind(sendSimulatedRoute, async ({ sessao, query, request }) => {
      const form = await parseSimulatedMessage(request, sessao.contaId)
      return receiveSimulatedMessage(deps, await lineOf(sessao, query, form), form)
    }),
    bind(mensagensSimuladasRoute, async ({ sessao, query }) => {
      const digits = phoneDigits(query.telefone)
      const address = canonicalAddress(digits, digits)
      const line = await lineOf(sessao, query)
      return { mensagens: await db.transaction(sessao.contaId, (tx) => listMensagensOfContato(tx, line, address)) }
    }),
    bind(digitandoSimuladoRoute, async ({ sessao, query, body }) => {
      await simulador.type(await lineOf(sessao, query, body), phoneDigits(body.telefone))
      return { sucesso: true as const }
    }),
    bind(desconectarSimuladorRoute, async ({ sessao, query, body }) => {
      await simulador.disconnect(await lineOf(sessao, query, body))
      return { sucesso: true as const }
    }),
    bind(falhasSimuladorRoute, async ({ sessao, query, body }) => {
      await simulador.failSends(await lineOf(sessao, query, body), body.envios)
      return { envios: body.envios }
    }),
  ]
}
