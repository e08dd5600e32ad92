import * as z from 'zod/mini'
import { AppError } from '#errors.ts'
import { SendRefused } from '@balcao/connector/errors'
import type { PairingCode } from '@balcao/connector/port'
import { findBot } from '#modules/bot/repository.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { SessionRegistry } from './registry.ts'

const REQUEST_CHANNEL = 'codigo-pedido'
const RESPONSE_CHANNEL = 'codigo-resposta'
const TIMEOUT_MS = 10_000

const requestSchema = z.object({ id: z.string(), contaId: z.string(), telefone: z.string() })
const responseSchema = z.object({
  id: z.string(),
  dado: z.nullable(z.object({ codigo: z.string(), expiraEm: z.string() })),
  recusa: z.optional(z.string()),
})

export interface PairingCodes {
  /** Throws `semQrCode` when no phone is being paired and `dadosInvalidos` when the service rejects the number. */
  readonly request: (contaId: string, telefone: string) => Promise<PairingCode>
  readonly stop: () => void
}

export function createPairingCodes(
  deps: Pick<BotDeps, 'bus' | 'db' | 'ids'>,
  sessions: Pick<SessionRegistry, 'get'>,
): PairingCodes {
  const { bus, db, ids } = deps
  const waiting = new Map<string, (reply: z.output<typeof responseSchema>) => void>()

  const daqui = async (contaId: string, telefone: string): Promise<PairingCode | null | undefined> =>
    sessions.get(contaId)?.pairingCode(telefone)

  const responder = async ({ id, contaId, telefone }: z.output<typeof requestSchema>): Promise<void> => {
    if (sessions.get(contaId) === undefined) return
    const reply = await daqui(contaId, telefone).then(
      (datum) => ({ dado: datum === null || datum === undefined ? null : codeToJson(datum) }),
      (error: unknown) => ({ dado: null, ...(error instanceof SendRefused ? { recusa: error.message } : {}) }),
    )
    bus.publish(RESPONSE_CHANNEL, JSON.stringify({ id, ...reply }))
  }

  const assinaturas = [
    bus.subscribe(REQUEST_CHANNEL, (data) => void responder(requestSchema.parse(JSON.parse(data)))),
    bus.subscribe(RESPONSE_CHANNEL, (data) => {
      const reply = responseSchema.parse(JSON.parse(data))
      waiting.get(reply.id)?.(reply)
    }),
  ]

  const deOutroNo = async (contaId: string, telefone: string): Promise<PairingCode | null> => {
    const bot = await db.transaction(contaId, (tx) => findBot(tx, contaId))
    if (bot === null || !bot.vivo || bot.qr_code === null) return null
    const id = ids.uuid()
    const { promise, resolve } = Promise.withResolvers<z.output<typeof responseSchema> | null>()
    waiting.set(id, resolve)
    const deadline = setTimeout(() => resolve(null), TIMEOUT_MS)
    bus.publish(REQUEST_CHANNEL, JSON.stringify({ id, contaId, telefone }))
    const reply = await promise
    clearTimeout(deadline)
    waiting.delete(id)
    if (reply?.recusa !== undefined) throw new SendRefused(reply.recusa)
    const datum = reply?.dado ?? null
    return datum === null ? null : { codigo: datum.codigo, expiraEm: new Date(datum.expiraEm) }
  }

  return {
    request: async (contaId, telefone) => {
      try {
        const aqui = await daqui(contaId, telefone)
        const code = aqui === undefined ? await deOutroNo(contaId, telefone) : aqui
        if (code === null) throw new AppError('semQrCode')
        return code
      } catch (error) {
        if (!(error instanceof SendRefused)) throw error
        throw new AppError('dadosInvalidos', { detalhes: [{ caminho: 'telefone', mensagem: error.message }] })
      }
    },
    stop: () => {
      for (const leave of assinaturas) leave()
    },
  }
}

function codeToJson({ codigo, expiraEm }: PairingCode): { codigo: string; expiraEm: string } {
  return { codigo, expiraEm: expiraEm.toISOString() }
}
