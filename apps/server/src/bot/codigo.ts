import * as z from 'zod/mini'
import { AppError } from '#errors.ts'
import { type CodigoDePareamento, EnvioRecusado } from '#ports/messaging.ts'
import { findBot } from './bots-repository.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { Sessions } from './sessions.ts'

const CANAL_PEDIDO = 'codigo-pedido'
const CANAL_RESPOSTA = 'codigo-resposta'
const PRAZO_MS = 10_000

const pedidoSchema = z.object({ id: z.string(), contaId: z.string(), telefone: z.string() })
const respostaSchema = z.object({
  id: z.string(),
  dado: z.nullable(z.object({ codigo: z.string(), expiraEm: z.string() })),
  recusa: z.optional(z.string()),
})

export interface Codigos {
  /** Throws `semQrCode` when no phone is being paired and `dadosInvalidos` when the service rejects the number. */
  readonly pedir: (contaId: string, telefone: string) => Promise<CodigoDePareamento>
  readonly stop: () => void
}

export function createCodigos(deps: Pick<BotDeps, 'bus' | 'db' | 'ids'>, sessions: Pick<Sessions, 'get'>): Codigos {
  const { bus, db, ids } = deps
  const esperando = new Map<string, (resposta: z.output<typeof respostaSchema>) => void>()

  const daqui = async (contaId: string, telefone: string): Promise<CodigoDePareamento | null | undefined> =>
    sessions.get(contaId)?.codigo(telefone)

  const responder = async ({ id, contaId, telefone }: z.output<typeof pedidoSchema>): Promise<void> => {
    if (sessions.get(contaId) === undefined) return
    const resposta = await daqui(contaId, telefone).then(
      (dado) => ({ dado: dado === null || dado === undefined ? null : emTexto(dado) }),
      (error: unknown) => ({ dado: null, ...(error instanceof EnvioRecusado ? { recusa: error.message } : {}) }),
    )
    bus.publish(CANAL_RESPOSTA, JSON.stringify({ id, ...resposta }))
  }

  const assinaturas = [
    bus.subscribe(CANAL_PEDIDO, (dados) => void responder(pedidoSchema.parse(JSON.parse(dados)))),
    bus.subscribe(CANAL_RESPOSTA, (dados) => {
      const resposta = respostaSchema.parse(JSON.parse(dados))
      esperando.get(resposta.id)?.(resposta)
    }),
  ]

  const deOutroNo = async (contaId: string, telefone: string): Promise<CodigoDePareamento | null> => {
    const bot = await db.transaction(contaId, (tx) => findBot(tx, contaId))
    if (bot === null || !bot.vivo || bot.qr_code === null) return null
    const id = ids.uuid()
    const { promise, resolve } = Promise.withResolvers<z.output<typeof respostaSchema> | null>()
    esperando.set(id, resolve)
    const prazo = setTimeout(() => resolve(null), PRAZO_MS)
    bus.publish(CANAL_PEDIDO, JSON.stringify({ id, contaId, telefone }))
    const resposta = await promise
    clearTimeout(prazo)
    esperando.delete(id)
    if (resposta?.recusa !== undefined) throw new EnvioRecusado(resposta.recusa)
    const dado = resposta?.dado ?? null
    return dado === null ? null : { codigo: dado.codigo, expiraEm: new Date(dado.expiraEm) }
  }

  return {
    pedir: async (contaId, telefone) => {
      try {
        const aqui = await daqui(contaId, telefone)
        const codigo = aqui === undefined ? await deOutroNo(contaId, telefone) : aqui
        if (codigo === null) throw new AppError('semQrCode')
        return codigo
      } catch (error) {
        if (!(error instanceof EnvioRecusado)) throw error
        throw new AppError('dadosInvalidos', { detalhes: [{ caminho: 'telefone', mensagem: error.message }] })
      }
    },
    stop: () => {
      for (const sair of assinaturas) sair()
    },
  }
}

function emTexto({ codigo, expiraEm }: CodigoDePareamento): { codigo: string; expiraEm: string } {
  return { codigo, expiraEm: expiraEm.toISOString() }
}
