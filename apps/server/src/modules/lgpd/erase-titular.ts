import * as z from 'zod/mini'
import type { TitularCounts } from '@balcao/contract/entities/lgpd'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { deleteJournalEntriesOf, deleteKeysMatching } from '#modules/chaves/index.ts'
import { deleteContato, deleteContatoMensagens } from '#modules/exclusao/index.ts'
import { audienceOfEnded, type EndedConversa } from '#modules/leitores/index.ts'
import { deleteMentions, insertLog } from '#modules/logs/index.ts'
import { deleteWebhookEventsOf } from '#modules/oficial/index.ts'
import {
  insertErasureMarks,
  type ErasureMark,
  erasureMarkContext,
  findLackingMarks,
  type MarksPlace,
  recordLackingMarks,
} from '#modules/apagados/index.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import { createJob, type Job } from '#lib/every.ts'
import { countTitular } from './count-titular.ts'
import { countNotasOfOthers, machinePatterns, mentionOf } from './mentions.ts'
import { requireNoLegalHold } from './privacidade.ts'
import { findTitular, lockTitular, type Titular } from './titular.ts'

export type EraseDeps = Pick<
  Deps,
  'db' | 'files' | 'log' | 'realtime' | 'ids' | 'clock' | 'vault' | 'settings' | 'bots'
>

interface ErasedTitular {
  readonly apagado: TitularCounts
  readonly notasDeOutros: number | null
}

/**
 * Erases all data of one customer (LGPD art. 18, VI): rows, files, log lines, AI context and queued sends, also in
 * the memory of every node. A one-way mark stays, so that a restored backup is erased again. Returns the counts
 * before the erasure, and the notas of others that stay. Throws `naoEncontrado`, and `conflito` under a legal hold.
 */
export async function eraseTitular(deps: EraseDeps, session: RequestSession, typed: string): Promise<ErasedTitular> {
  const { contaId } = session
  const { titular, apagado } = await deps.db.transaction(contaId, async (tx) => {
    await requireNoLegalHold(tx, contaId)
    const titular = await findTitular(tx, contaId, typed)
    return { titular, apagado: await countTitular(tx, contaId, titular) }
  })
  const notasDeOutros = await deps.db.read(contaId, (tx) => countNotasOfOthers(tx, contaId, titular))
  await eraseContato(deps, titular.id, { contaId, requester: { quem: session, por: `por ${session.nome}` } })
  return { apagado, notasDeOutros }
}

interface EraseRequest {
  readonly contaId: string
  /** Null for an erasure repeated after a backup was restored. */
  readonly requester: EraseRequester | null
}

interface EraseRequester {
  /** Null: the customer, without a person of the shop. */
  readonly quem: RequestSession | null
  /** How the log names the way of the request. */
  readonly por: string
}

export async function eraseContato(deps: EraseDeps, contatoId: string, request: EraseRequest): Promise<void> {
  const { contaId } = request
  for (;;) {
    if (await deps.db.transaction(contaId, (tx) => eraseStep(tx, deps, contatoId, request))) break
  }
  await sweepArquivos(deps, contaId).catch((error: unknown) => {
    deps.log.error({ err: error, contaId }, 'files of erased contato left to sweep')
  })
}
/**
 * Runs one transaction of the erasure. Returns true when it is complete. The last transaction deletes the contato
 * and writes the mark and the audit record together.
 */
async function eraseStep(tx: Tx, deps: EraseDeps, contatoId: string, request: EraseRequest): Promise<boolean> {
  const { contaId, requester } = request
  const titular = await lockTitular(tx, contaId, contatoId)
  if (titular === null) return true
  // Log lines are found by the ids of mensagens, so they are deleted before the mensagens.
  await deleteMentions(tx, { contaId, ...(await mentionOf(tx, contaId, titular)) })
  if (!(await deleteContatoMensagens(tx, deps, contaId, contatoId))) return false
  const patterns = machinePatterns(titular.enderecos)
  // The ids of session keys contain numbers. The next message of that phone negotiates new keys.
  await deleteKeysMatching(tx, { contaId, patterns })
  await deleteWebhookEventsOf(tx, deps, contaId, patterns)
  await deleteJournalEntriesOf(tx, deps, contaId, patterns)
  const attended = await deleteContato(tx, contaId, contatoId)
  tx.afterCommit(() => publishErasure(deps, contaId, titular, attended))
  if (requester !== null) {
    await recordErasure(tx, deps, contaId, requester)
    await insertErasureMarks(tx, deps, contaId, titular.enderecos)
  }
  return true
}

async function recordErasure(tx: Tx, deps: EraseDeps, contaId: string, { quem, por }: EraseRequester): Promise<void> {
  const mensagem = `Os dados de um cliente foram apagados a pedido dele (LGPD), ${por}`
  await insertLog(tx, deps, contaId, { tipo: 'info', mensagem })
  const detalhe = 'De um cliente, a pedido dele'
  await recordAuditoria(tx, deps, { acao: 'dadosApagados', quem, contaId, detalhe })
}

function publishErasure(
  { bots, realtime }: EraseDeps,
  contaId: string,
  titular: Titular,
  open: readonly EndedConversa[],
): void {
  const { id, nome, telefone, enderecos } = titular
  bots.forgetContato(contaId, { contatoId: id, enderecos })
  for (const closed of open) {
    const event = { userId: contaId, conversaId: closed.id, revisao: closed.revisao }
    realtime.publishConversa(contaId, 'conversaFinalizada', event, audienceOfEnded(closed))
  }
  realtime.publish(contaId, 'botConversaAtiva', { id, nome, telefone, ativa: false, userId: contaId })
}

const BATCH_SIZE = 5_000

const listAddresses = manyRows(
  'lgpd: list addresses',
  z.object({ endereco: z.string(), contatoId: z.string(), criadoEm: z.date() }),
  sql`select endereco, contato_id, criado_em from enderecos
      where conta_id = ${contaId} and endereco > ${value('after', 'text')} and criado_em <= ${value('until', 'timestamptz')}
      order by endereco limit ${rawSql(String(BATCH_SIZE))}`,
)

const INTERVAL_MS = 3_600_000

/** Repeats the erasures whose marks only the storage of all nodes holds, on one node. */
export function restoredJob(deps: EraseDeps & Pick<Deps, 'leader'>): Job {
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'marks of erased contatos not compared')
  const compare = (): Promise<unknown> => eraseRestoredTitulares(deps, 'shared')
  return createJob(() =>
    deps.files.shared
      ? [deps.leader.every({ name: 'apagados', ms: INTERVAL_MS, firstMs: 0, task: compare, failed })]
      : [],
  )
}

/**
 * Erases customers again that a restored backup brought back: those with a mark that the database lacks. A contato
 * whose erased address was stored after the erasure is a new customer and stays. Returns how many were erased.
 */
export async function eraseRestoredTitulares(deps: EraseDeps, place: MarksPlace): Promise<number> {
  let count = 0
  const lacking = await findLackingMarks(deps, place)
  for (const [contaId, marks] of Map.groupBy(lacking, ({ contaId: conta }) => conta)) {
    for (const contatoId of await listRestored(deps, contaId, marks)) {
      await eraseContato(deps, contatoId, { contaId, requester: null })
      count += 1
    }
    await deps.db.transaction(contaId, (tx) => recordLackingMarks(tx, { i: marks }))
  }
  if (count > 0) deps.log.warn({ clientes: count }, 'contatos of restored backup erased again')
  return count
}

async function listRestored(
  { db, vault }: Pick<EraseDeps, 'db' | 'vault'>,
  contaId: string,
  marks: readonly ErasureMark[],
): Promise<Set<string>> {
  const quando = new Map(marks.map(({ mark, erasedAt }) => [mark, erasedAt]))
  const until = new Date(Math.max(...marks.map(({ erasedAt }) => erasedAt.getTime())))
  const found = new Set<string>()
  let after = ''
  for (;;) {
    const page = await db.read(contaId, (tx) => listAddresses(tx, { contaId, until, after }))
    for (const { endereco, contatoId, criadoEm } of page) {
      const marcas = vault.fingerprints(endereco, erasureMarkContext(contaId))
      if (marcas.some((mark) => criadoEm <= (quando.get(mark) ?? new Date(0)))) found.add(contatoId)
    }
    const end = page.at(-1)
    if (end === undefined || page.length < BATCH_SIZE) return found
    after = end.endereco
  }
}
