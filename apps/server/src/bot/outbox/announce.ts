import * as z from 'zod/mini'
import { situacaoSchema } from '@balcao/contract/entities/conversa'
import { lineOf } from '#db/statement/line.ts'
import { columns, contaId, sql } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { Collector } from '#lib/queue/collector.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { audienceOf, situationSql } from '#modules/leitores/index.ts'
import { mensagemColumns, mensagemFromRow, mensagemRowSchema } from '#modules/mensagens/index.ts'
import type { Realtime } from '#ports/realtime.ts'
import type { BotDeps } from '#bot/deps.ts'

/** With `offset 0` the planner keeps the order of the joins, also when it has no statistics yet. */
const listStates = manyRows(
  'mensagens-estados',
  z.extend(mensagemRowSchema, {
    humana: z.boolean(),
    linhaId: z.string(),
    setor: z.nullable(z.string()),
    status: z.string(),
    operadorId: z.nullable(z.string()),
    nome: z.string(),
    telefone: z.string(),
    nomeUsuario: z.string(),
    /** Of the bot: its status is no `situacao`. */
    situacao: z.unknown(),
  }),
  sql`
select ${mensagemColumns}, v.protocolo is not null as humana, ${lineOf('v')} as linha_id, v.setor, v.status, v.operador_id, c.nome, c.telefone, c.nome_usuario,
  ${situationSql('v')} as situacao
from ${columns('i', { id: 'uuid' })}
cross join lateral (select * from mensagens m where m.conta_id = ${contaId} and m.id = i.id offset 0) m
cross join lateral (select * from conversas v where v.conta_id = m.conta_id and v.id = m.conversa_id offset 0) v
cross join lateral (select * from contatos c where c.conta_id = v.conta_id and c.id = v.contato_id offset 0) c
order by m.id`,
  { prepared: true, planner: 'indexes' },
)

interface Change {
  readonly contaId: string
  readonly mensagemId: string
  readonly onlyMarked: boolean
}

/** Message id → true when the message was only marked. */
type Changed = ReadonlyMap<string, boolean>

/**
 * Reads changed messages and publishes their state, for contas with a connected browser. Messages that change while a
 * batch is read wait for the next batch.
 */
export class MensagemAnnouncer {
  readonly #deps: Pick<BotDeps, 'db' | 'realtime' | 'log'>
  readonly #changes = new Collector<Change>({
    keyOf: ({ mensagemId, onlyMarked }) => `${mensagemId} ${onlyMarked}`,
    flush: (changes) => this.#publish(changes),
  })

  constructor(deps: Pick<BotDeps, 'db' | 'realtime' | 'log'>) {
    this.#deps = deps
  }

  changed(contaId: string, mensagemId: string): void {
    this.#add(contaId, mensagemId, false)
  }

  /** Edited, deleted or reacted to. Clients that do not hold the message ignore the event. */
  marked(contaId: string, mensagemId: string): void {
    this.#add(contaId, mensagemId, true)
  }

  idle(): Promise<void> {
    return this.#changes.idle()
  }

  #add(contaId: string, mensagemId: string, onlyMarked: boolean): void {
    if (this.#deps.realtime.watched(contaId)) this.#changes.add({ contaId, mensagemId, onlyMarked })
  }

  async #publish(changes: readonly Change[]): Promise<void> {
    const { db, realtime, log } = this.#deps
    for (const [contaId, ofConta] of Map.groupBy(changes, (change) => change.contaId)) {
      // A change of state wins over a mark, so it comes last.
      const sorted = ofConta.toSorted((a, b) => Number(b.onlyMarked) - Number(a.onlyMarked))
      const changed = new Map(sorted.map(({ mensagemId, onlyMarked }) => [mensagemId, onlyMarked]))
      await db
        .read([contaId], (tx) => publishStates(tx, realtime, contaId, changed), { planner: 'indexes' })
        .catch((error: unknown) => log.warn({ err: error, contaId }, 'message states not published'))
    }
  }
}

async function publishStates(tx: Tx, realtime: Realtime, contaId: string, changed: Changed): Promise<void> {
  const rows = await listStates(tx, { contaId, i: [...changed.keys()].map((id) => ({ id })) })
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
      const marcada = changed.get(id) === true ? { marcada: true } : {}
      const situacao = situacaoSchema.parse(row.situacao)
      const data = { userId: contaId, conversaId: row.conversaId, mensagem, situacao, ...marcada }
      realtime.publishConversa(contaId, 'mensagemConversaHumana', data, audienceOf(row))
    }
  })
}
