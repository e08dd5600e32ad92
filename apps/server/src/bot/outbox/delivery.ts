import * as z from 'zod/mini'
import type { FastifyBaseLogger } from 'fastify'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import type { Database, Tx } from '#db/transaction.ts'
import { plainArray, textArray } from '#db/arrays.ts'
import type { CrashPoints } from '#lib/crash-points.ts'
import { quotedOf, mensagemMarksSchema, outboxContentSchema } from '#modules/conversas/index.ts'
import type { OutboxItem } from './send-queue.ts'

export const sentModeloSchema = z.object({
  nome: z.string(),
  idioma: z.string(),
  valores: z.array(z.object({ lacuna: z.string(), valor: z.string() })),
})

const pendingSchema = z.object({
  mensagem_id: z.string(),
  contato_id: z.string(),
  endereco: z.string(),
  id_externo: z.string(),
  tentativas: z.number(),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  modelo: z.nullable(sentModeloSchema),
  extras: z.nullable(mensagemMarksSchema),
  conteudo: outboxContentSchema,
  humana: z.boolean(),
})

/** Lists the pending messages of a conta in order. Empty when another node holds the lease. */
export async function listPending(tx: Tx, contaId: string, epoch: number): Promise<OutboxItem[]> {
  const rows = await tx.rows(
    pendingSchema,
    `select s.mensagem_id, s.contato_id, s.endereco, s.id_externo, s.tentativas, m.texto, m.midia, m.modelo,
       m.extras, s.conteudo, v.protocolo is not null as humana
     from saida s
     join mensagens m on m.conta_id = s.conta_id
       and m.id = coalesce((s.conteudo #>> '{reacao,mensagemId}')::uuid, s.mensagem_id)
     join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     where s.conta_id = $1 and exists (select 1 from bots b where b.conta_id = $1 and b.epoca = $2)
     order by s.contato_id, s.mensagem_id`,
    [contaId, epoch],
  )
  return rows.map((row) => ({
    contaId,
    mensagemId: row.mensagem_id,
    contatoId: row.contato_id,
    endereco: row.endereco,
    idExterno: row.id_externo,
    ...contentOf(row),
    typing: false,
    attempts: row.tentativas,
    attended: row.humana,
  }))
}

/** Finds contas with messages overdue by 2 s: another node queued them and its bus event was lost. */
export async function listOverdueContas(tx: Tx, contas: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ conta_id: string }>(
    `select distinct conta_id from saida where conta_id = any ($1::uuid[]) and proxima_em < now() - interval '2 seconds'`,
    [contas],
  )
  return rows.map((row) => row.conta_id)
}

type OutboxContent = Pick<OutboxItem, 'texto' | 'midia' | 'modelo' | 'citada' | 'reacao'>

/** A reaction carries no text or media of the message that it marks. */
function contentOf({
  texto,
  midia,
  modelo,
  extras,
  conteudo: { reacao },
}: z.output<typeof pendingSchema>): OutboxContent {
  if (reacao !== undefined) return { texto: '', reacao }
  return {
    texto,
    ...(midia === null ? {} : { midia }),
    ...(modelo === null ? {} : { modelo }),
    ...quotedOf(extras),
  }
}

/** Stores the number of attempts, so that a restart continues counting. */
export async function deferOutboxItem(tx: Tx, item: OutboxItem, waitMs: number, error: string): Promise<void> {
  await tx.query(
    `update saida set tentativas = $3, ultimo_erro = $4, proxima_em = now() + make_interval(secs => $5)
     where conta_id = $1 and mensagem_id = $2`,
    [item.contaId, item.mensagemId, item.attempts, error, waitMs / 1000],
  )
}

/** Marks the message as failed after its last attempt. An operador may retry it. */
export async function failOutboxItem(tx: Tx, item: OutboxItem, error: string): Promise<void> {
  await tx.query(
    `with apagada as (delete from saida where conta_id = $1 and mensagem_id = $2 returning 1)
     update mensagens set estado = 'falhou', erro = $3
     where conta_id = $1 and id = $2 and exists (select 1 from apagada)`,
    [item.contaId, item.mensagemId, error],
  )
}

/** Marks a sent message as failed. Returns false when the message is unknown or already delivered. */
export async function markUndelivered(tx: Tx, contaId: string, mensagemId: string, error: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with s as (delete from saida where conta_id = $1 and mensagem_id = $2)
     update mensagens set estado = 'falhou', erro = $3
     where conta_id = $1 and id = $2 and direcao = 'saida' and estado = 'enviada'`,
    [contaId, mensagemId, error],
  )
  return rowCount === 1
}

const MARKED_PER_BATCH = 500

interface SentMark {
  readonly item: OutboxItem
  readonly serviceId: string | undefined
  readonly deleted: () => void
}

export interface SentMarker {
  readonly mark: (item: OutboxItem, idDoServico: string | undefined, apagada: () => void) => void
  readonly idle: () => Promise<void>
}

/** Deletes the rows of sent messages in batches. One batch runs while the next one collects. */
export function createSentMarker(deps: { db: Database; log: FastifyBaseLogger; crashPoint: CrashPoints }): SentMarker {
  let marks: SentMark[] = []
  let running: Promise<void> | null = null

  const run = async (): Promise<void> => {
    while (marks.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      const batch = marks.slice(0, MARKED_PER_BATCH)
      try {
        await deleteSent(deps.db, batch)
      } catch (error) {
        deps.log.error({ err: error }, 'sent messages not marked, retrying')
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        continue
      }
      deps.crashPoint('saida.marcada')
      marks = marks.slice(batch.length)
      for (const { deleted } of batch) deleted()
    }
    running = null
  }

  return {
    mark: (item, idDoServico, apagada) => {
      marks.push({ item, serviceId: idDoServico, deleted: apagada })
      running ??= run()
    },
    idle: async () => {
      while (running !== null) await running
    },
  }
}

/**
 * `saida` is often empty, so the planner's statistics show no rows and a join scans the table once per id. `any`
 * forces index lookups.
 */
export const DELETE_SENT_SQL = 'delete from saida where conta_id = $1 and mensagem_id = any ($2::uuid[])'

/** Later quotes and reactions refer to the service's id. */
const SET_SERVICE_ID_SQL = `
update mensagens m set id_externo = i.nome from unnest($2::uuid[], $3::text[]) as i (id, nome)
where m.conta_id = $1 and m.id = i.id`

async function deleteSent(db: Database, batch: readonly SentMark[]): Promise<void> {
  const porConta = Map.groupBy(batch, ({ item }) => item.contaId)
  await db.transaction(
    [...porConta.keys()],
    async (tx) => {
      for (const [contaId, marks] of porConta) {
        // Not awaited: the COMMIT is sent right behind it and fails with it.
        tx.queryNamed('saida-marcada', DELETE_SENT_SQL, [
          contaId,
          plainArray(marks.map(({ item }) => item.mensagemId)),
        ]).catch(() => undefined)
        const calls = marks.filter(({ serviceId }) => serviceId !== undefined)
        if (calls.length === 0) continue
        const ids = plainArray(calls.map(({ item }) => item.mensagemId))
        const names = textArray(calls.map(({ serviceId = null }) => serviceId))
        tx.queryNamed('saida-chamada', SET_SERVICE_ID_SQL, [contaId, ids, names]).catch(() => undefined)
      }
    },
    'indices',
  )
}
