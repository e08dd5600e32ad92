import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { ContatoApagado } from '#ports/bots.ts'
import type { BotsRuntime } from './bots.ts'
import { chaveDoEndereco } from './contatos.ts'
import type { Handler } from './handle-event.ts'
import type { Juncoes } from './juncoes.ts'
import type { Perguntas } from './perguntas.ts'
import type { Sessions } from './sessions.ts'

const esquecidoSchema = z.object({ contaId: z.string(), contatoId: z.string(), enderecos: z.array(z.string()) })

interface Esquecido extends ContatoApagado {
  readonly contaId: string
}

export function lerEsquecido(dados: string): Esquecido | null {
  try {
    return esquecidoSchema.parse(JSON.parse(dados))
  } catch {
    return null
  }
}

interface EsquecimentoOptions {
  readonly sessions: Pick<Sessions, 'get'>
  readonly perguntas: Pick<Perguntas, 'esquecer'>
  readonly handler: Pick<Handler, 'esquecerEndereco'>
  readonly juncoes: Pick<Juncoes, 'esquecer'>
  readonly bots: () => Pick<BotsRuntime, 'publicarStatus'>
  readonly log: FastifyBaseLogger
}

/** Drops an erased contato from this node's memory: send queue, questions, address caches and status lists. */
export function createEsquecimento(options: EsquecimentoOptions): (esquecido: Esquecido) => void {
  const { sessions, perguntas, handler, juncoes, bots, log } = options
  return ({ contaId, contatoId, enderecos }) => {
    const sessao = sessions.get(contaId)
    sessao?.fila.descartar(contatoId)
    sessao?.vista(contatoId, false)
    perguntas.esquecer(contaId, contatoId)
    for (const endereco of enderecos) handler.esquecerEndereco(chaveDoEndereco(contaId, endereco))
    juncoes.esquecer()
    bots()
      .publicarStatus(contaId)
      .catch((error: unknown) => log.warn({ err: error, contaId }, 'status not published after erasing a contato'))
  }
}
