import type { Tx } from '#db/transaction.ts'
import type { Realtime } from '#ports/realtime.ts'
import { simples } from './arrays.ts'
import { COLUNAS_MENSAGEM, lerMensagem, type MensagemRow, nomeOuTelefone } from './mensagem-humana.ts'
import type { BotDeps } from './runtime-deps.ts'

interface EstadoRow extends MensagemRow {
  readonly humana: boolean
  readonly nome: string
  readonly telefone: string
}

const ESTADOS = `
select ${COLUNAS_MENSAGEM}, v.protocolo is not null as humana, c.nome, c.telefone
from unnest($2::uuid[]) as i (id)
join mensagens m on m.conta_id = $1 and m.id = i.id
join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
order by m.id`

export interface PublicadorDeEstados {
  readonly mudou: (contaId: string, mensagemId: string) => void
  /** Edited, deleted or reacted to. Clients that do not hold the message ignore the event. */
  readonly marcada: (contaId: string, mensagemId: string) => void
  readonly ocioso: () => Promise<void>
}

/** Message id → true when the message was only marked. */
type Mudadas = Map<string, boolean>

export function createPublicadorDeEstados(deps: Pick<BotDeps, 'db' | 'realtime' | 'log'>): PublicadorDeEstados {
  const { db, realtime, log } = deps
  let mudadas = new Map<string, Mudadas>()
  let rodando: Promise<void> | null = null

  const rodar = async (): Promise<void> => {
    while (mudadas.size > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      const lote = mudadas
      mudadas = new Map()
      for (const [contaId, ids] of lote) {
        await db
          .read(contaId, (tx) => publicarEstados(tx, realtime, contaId, ids), 'indices')
          .catch((error: unknown) => log.warn({ err: error, contaId }, 'message states not published'))
      }
    }
    rodando = null
  }

  const anotar = (contaId: string, mensagemId: string, marcada: boolean): void => {
    const destas: Mudadas = mudadas.get(contaId) ?? new Map()
    // A change of state wins over a mark.
    destas.set(mensagemId, marcada && destas.get(mensagemId) !== false)
    mudadas.set(contaId, destas)
    rodando ??= rodar()
  }

  return {
    mudou: (contaId, mensagemId) => anotar(contaId, mensagemId, false),
    marcada: (contaId, mensagemId) => anotar(contaId, mensagemId, true),
    ocioso: async () => {
      while (rodando !== null) await rodando
    },
  }
}

async function publicarEstados(tx: Tx, realtime: Realtime, contaId: string, mudadas: Mudadas): Promise<void> {
  const valores = [contaId, simples([...mudadas.keys()])]
  const { rows } = await tx.queryNamed<EstadoRow & Record<string, unknown>>('mensagens-estados', ESTADOS, valores)
  tx.afterCommit(() => {
    for (const row of rows) {
      const { humana, nome, telefone } = row
      const mensagem = lerMensagem(row, nomeOuTelefone(row))
      const { id, texto, timestamp, estado, origem = 'bot', midia } = mensagem
      realtime.publish(contaId, 'botMensagem', {
        userId: contaId,
        ...{ id, timestamp, conteudo: texto, contato: nome, telefone, direcao: row.direcao, origem },
        ...(estado === undefined ? {} : { estado }),
        ...(midia === undefined ? {} : { midia }),
      })
      if (!humana) continue
      const marcada = mudadas.get(id) === true ? { marcada: true } : {}
      const dados = { userId: contaId, conversaId: row.conversa_id, mensagem, ...marcada }
      realtime.publish(contaId, 'mensagemConversaHumana', dados)
    }
  })
}
