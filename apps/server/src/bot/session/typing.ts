import * as z from 'zod/mini'
import { addressKey } from '#modules/conversas/index.ts'
import { Lru } from '#lib/lru.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { SessionRegistry } from './registry.ts'

const TYPING_CHANNEL = 'digitando'
/** Phones show the indicator for some seconds, so a shorter interval shows nothing new. */
const INTERVAL_MS = 2_500
const CACHED_ADDRESSES = 10_000

const typingSchema = z.object({ contaId: z.string(), endereco: z.string() })
const conversaSchema = z.object({ id: z.string() })

export interface Typing {
  readonly fromOperador: (contaId: string, address: string) => void
  readonly fromCustomer: (contaId: string, canonical: string) => void
}

export function createTyping(
  deps: Pick<BotDeps, 'bus' | 'db' | 'realtime' | 'log'>,
  sessions: SessionRegistry,
): Typing {
  const { bus, db, realtime, log } = deps
  const last = new Lru<number>(CACHED_ADDRESSES)

  const cedoDemais = (key: string): boolean => {
    const agora = performance.now()
    if (agora - (last.get(key) ?? Number.NEGATIVE_INFINITY) < INTERVAL_MS) return true
    last.set(key, agora)
    return false
  }

  const show = (contaId: string, address: string): boolean => {
    const session = sessions.get(contaId)
    if (session?.connected() === true) session.typing(address)
    return session !== undefined
  }

  bus.subscribe(TYPING_CHANNEL, (data) => {
    const { contaId, endereco } = typingSchema.parse(JSON.parse(data))
    show(contaId, endereco)
  })

  const count = async (contaId: string, canonical: string): Promise<void> => {
    const [conversa] = await db.read(contaId, (tx) =>
      tx.rows(
        conversaSchema,
        `select v.id from enderecos e
         join contatos c on c.conta_id = e.conta_id and c.id = e.contato_id
         join conversas v on v.conta_id = c.conta_id and v.id = c.conversa_id
         where e.conta_id = $1 and e.endereco = $2 and v.status in ('aguardando', 'em_atendimento')`,
        [contaId, canonical],
      ),
    )
    if (conversa !== undefined)
      realtime.publish(contaId, 'clienteDigitando', { userId: contaId, conversaId: conversa.id })
  }

  return {
    fromOperador: (contaId, endereco) => {
      if (cedoDemais(`>${addressKey(contaId, endereco)}`)) return
      if (!show(contaId, endereco)) bus.publish(TYPING_CHANNEL, JSON.stringify({ contaId, endereco }))
    },
    fromCustomer: (contaId, canonical) => {
      if (cedoDemais(`<${addressKey(contaId, canonical)}`)) return
      count(contaId, canonical).catch((error: unknown) =>
        log.warn({ err: error, contaId }, 'typing indicator not published'),
      )
    },
  }
}
