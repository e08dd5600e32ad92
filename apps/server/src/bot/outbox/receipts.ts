import * as z from 'zod/mini'
import type { Receipt } from '@balcao/connector/port'
import { plainArray } from '#db/arrays.ts'
import type { BotDeps } from '#bot/deps.ts'

/**
 * States only move forward. Only conversas with people are updated, because no screen shows ticks of the bot's
 * messages.
 */
const ADVANCE_STATES_SQL = `
update mensagens m set estado = i.estado
from unnest($2::uuid[], $3::text[]) as i (id, estado), conversas v
where m.conta_id = $1 and m.id = i.id and m.direcao = 'saida'
  and (m.estado = 'enviada' or (m.estado = 'entregue' and i.estado = 'lida'))
  and v.conta_id = m.conta_id and v.id = m.conversa_id and v.protocolo is not null
returning m.id`

const UUID = z.uuid()

export interface Receipts {
  readonly add: (contaId: string, idExterno: string, receipt: Receipt) => void
  readonly idle: () => Promise<void>
}

/**
 * Writes delivery and read receipts in batches and publishes them. A failed write is not retried, because it costs
 * only a tick.
 */
export function createReceipts(
  { db, log }: Pick<BotDeps, 'db' | 'log'>,
  changed: (contaId: string, mensagemId: string) => void,
): Receipts {
  let chegados = new Map<string, Map<string, Receipt>>()
  let running: Promise<void> | null = null

  const write = async (contaId: string, receipts: ReadonlyMap<string, Receipt>): Promise<void> => {
    const valores = [contaId, plainArray([...receipts.keys()]), plainArray([...receipts.values()])]
    const { rows } = await db.transaction(
      contaId,
      (tx) => tx.queryNamed<{ id: string }>('mensagens-avancar', ADVANCE_STATES_SQL, valores),
      'indices',
    )
    for (const { id } of rows) changed(contaId, id)
  }

  const run = async (): Promise<void> => {
    while (chegados.size > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      const batch = chegados
      chegados = new Map()
      for (const [contaId, receipts] of batch) {
        await write(contaId, receipts).catch((error: unknown) =>
          log.warn({ err: error, contaId }, 'receipts not written'),
        )
      }
    }
    running = null
  }

  return {
    add: (contaId, idExterno, receipt) => {
      if (!UUID.safeParse(idExterno).success) return
      const destes = chegados.get(contaId) ?? new Map<string, Receipt>()
      chegados.set(contaId, destes)
      if (destes.get(idExterno) !== 'lida') destes.set(idExterno, receipt)
      running ??= run()
    },
    idle: async () => {
      while (running !== null) await running
    },
  }
}
