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

/** What another node wrote on the channel; null for what nobody of ours wrote. */
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
  /** Made after this. */
  readonly bots: () => Pick<BotsRuntime, 'publicarStatus'>
  readonly log: FastifyBaseLogger
}

/** Wipes what this node remembers of an erased contact: queue, questions, addresses and the lists of the status. */
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
      .catch((error: unknown) =>
        log.warn({ err: error, contaId }, 'the status without an erased customer was not told'),
      )
  }
}
