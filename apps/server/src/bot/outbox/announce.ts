import type { Tx } from '#db/transaction.ts'
import type { Realtime } from '#ports/realtime.ts'
import { plainArray } from '#db/arrays.ts'
import { MENSAGEM_COLUMNS, mensagemFromRow, type MensagemRow, nameOrPhone } from '#modules/conversas/index.ts'
import type { BotDeps } from '#bot/deps.ts'

interface MensagemStateRow extends MensagemRow {
  readonly humana: boolean
  readonly nome: string
  readonly telefone: string
}

const MENSAGEM_STATES_SQL = `
select ${MENSAGEM_COLUMNS}, v.protocolo is not null as humana, c.nome, c.telefone
from unnest($2::uuid[]) as i (id)
join mensagens m on m.conta_id = $1 and m.id = i.id
join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
order by m.id`

export interface MensagemAnnouncer {
  readonly changed: (contaId: string, mensagemId: string) => void
  /** Edited, deleted or reacted to. Clients that do not hold the message ignore the event. */
  readonly marked: (contaId: string, mensagemId: string) => void
  readonly idle: () => Promise<void>
}

/** Message id → true when the message was only marked. */
type ChangedMensagens = Map<string, boolean>

export function createMensagemAnnouncer(deps: Pick<BotDeps, 'db' | 'realtime' | 'log'>): MensagemAnnouncer {
  const { db, realtime, log } = deps
  let mudadas = new Map<string, ChangedMensagens>()
  let running: Promise<void> | null = null

  const run = async (): Promise<void> => {
    while (mudadas.size > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      const batch = mudadas
      mudadas = new Map()
      for (const [contaId, ids] of batch) {
        await db
          .read(contaId, (tx) => publishStates(tx, realtime, contaId, ids), 'indices')
          .catch((error: unknown) => log.warn({ err: error, contaId }, 'message states not published'))
      }
    }
    running = null
  }

  const record = (contaId: string, mensagemId: string, marcada: boolean): void => {
    const destas: ChangedMensagens = mudadas.get(contaId) ?? new Map()
    // A change of state wins over a mark.
    destas.set(mensagemId, marcada && destas.get(mensagemId) !== false)
    mudadas.set(contaId, destas)
    running ??= run()
  }

  return {
    changed: (contaId, mensagemId) => record(contaId, mensagemId, false),
    marked: (contaId, mensagemId) => record(contaId, mensagemId, true),
    idle: async () => {
      while (running !== null) await running
    },
  }
}

async function publishStates(tx: Tx, realtime: Realtime, contaId: string, mudadas: ChangedMensagens): Promise<void> {
  const values = [contaId, plainArray([...mudadas.keys()])]
  const { rows } = await tx.queryNamed<MensagemStateRow & Record<string, unknown>>(
    'mensagens-estados',
    MENSAGEM_STATES_SQL,
    values,
  )
  tx.afterCommit(() => {
    for (const row of rows) {
      const { humana, nome, telefone } = row
      const mensagem = mensagemFromRow(row, nameOrPhone(row))
      const { id, texto, timestamp, estado, origem = 'bot', midia } = mensagem
      realtime.publish(contaId, 'botMensagem', {
        userId: contaId,
        ...{ id, timestamp, conteudo: texto, contato: nome, telefone, direcao: row.direcao, origem },
        ...(estado === undefined ? {} : { estado }),
        ...(midia === undefined ? {} : { midia }),
      })
      if (!humana) continue
      const marcada = mudadas.get(id) === true ? { marcada: true } : {}
      const data = { userId: contaId, conversaId: row.conversa_id, mensagem, ...marcada }
      realtime.publish(contaId, 'mensagemConversaHumana', data)
    }
  })
}
