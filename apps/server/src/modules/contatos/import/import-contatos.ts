import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Importacao } from '@balcao/contract/entities/contato'
import { contaId, sql } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { chosenFile, readForm } from '#http/form.ts'
import { createGate } from '#lib/queue/gate.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { addAvisos } from '#modules/avisos/index.ts'
import {
  findKnownContatos,
  insertSavedContatos,
  type KnownContato,
  updateSavedContatos,
} from '#modules/enderecos/index.ts'
import { findErasedPhones } from '#modules/apagados/index.ts'
import { announceContatos, requireRoom } from '#modules/contatos/repository.ts'
import { ETIQUETAS_MAX, etiquetaKey, tooManyEtiquetas } from '../etiquetas/change-etiquetas.ts'
import {
  addEtiquetas,
  insertEtiquetas,
  listEtiquetas,
  lockNewEtiquetas,
  type TaggedContato,
} from '../etiquetas/repository.ts'
import { parseFile } from './parse-file.ts'
import { type ImportChange, type ImportPlan, planImport } from './plan-import.ts'
import type { CheckedRows, ImportRow } from './rows.ts'

export type ImportDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'vault' | 'crashPoint'>

const BATCH = 2_000

/** An import holds a form of 5 MB, a worker thread, a connection and up to 50,000 rows in memory. */
const IMPORT_GATE = {
  ...{ atOnce: 2, runningPerKey: () => 1, waiting: 20, waitingPerKey: 3, waitMs: 60_000 },
  full: () =>
    new AppError('servidorOcupado', { erro: 'Há outra importação em andamento. Tente de novo em instantes.' }),
}

export function createImport(deps: ImportDeps) {
  const gate = createGate(IMPORT_GATE)
  // The body of a waiting request stays unread, so it takes no memory.
  return (request: FastifyRequest, session: RequestSession, simulate: boolean): Promise<Importacao> =>
    gate.run(() => importForm(deps, request, session, simulate), session.contaId)
}

async function importForm(
  deps: ImportDeps,
  request: FastifyRequest,
  session: RequestSession,
  simulate: boolean,
): Promise<Importacao> {
  const { contaId } = session
  const { file } = await readForm(request, contaId)
  const checked = await parseFile(chosenFile(file).bytes)
  const pace = createPace()
  deps.crashPoint('importacao.lida')
  const run = async (tx: Tx): Promise<Importacao> => {
    if (!simulate) await lockImports(tx, { contaId })
    const plan = await makePlan(tx, deps, contaId, { rows: checked.rows, pace })
    const counts = simulate ? countsOf(plan, checked) : await writePlan(tx, deps, session, { plan, checked })
    return { ...counts, recusados: [...checked.recusados, ...plan.recusados].toSorted((a, b) => a.linha - b.linha) }
  }
  return deps.db.transaction(contaId, run)
}

const lockImports = noRows(
  'contatos: lock imports',
  sql`select pg_advisory_xact_lock(hashtext('importacao'), hashtext(${contaId}::text))`,
)

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH)
}

async function makePlan(
  tx: Tx,
  deps: ImportDeps,
  contaId: string,
  { rows, pace }: { readonly rows: readonly ImportRow[]; readonly pace: Pace },
): Promise<ImportPlan> {
  const etiquetas = new Map((await listEtiquetas(tx, { contaId })).map(({ id, chave }) => [id, chave]))
  const contatos: KnownContato[] = []
  const erased = new Set<string>()
  for (const part of batchesOf(rows)) {
    const phones = part.map(({ telefone }) => telefone)
    contatos.push(...(await findKnownContatos(tx, contaId, phones)))
    for (const phone of await findErasedPhones(tx, deps, contaId, phones)) erased.add(phone)
    await pace()
  }
  return planImport(rows, { contatos, etiquetas, erased })
}

type Counts = Pick<Importacao, 'novos' | 'atualizados' | 'iguais' | 'apagados'>

function countsOf({ novos, atualizados, iguais, apagados }: ImportPlan, { repeated }: CheckedRows): Counts {
  return {
    ...{ novos: novos.length, atualizados: atualizados.length, iguais: iguais + repeated },
    apagados: apagados.size,
  }
}

/**
 * Without rests, because new contatos are locked until the commit. Customers who write meanwhile are compared again.
 */
async function writePlan(
  tx: Tx,
  deps: ImportDeps,
  session: RequestSession,
  { plan, checked }: { readonly plan: ImportPlan; readonly checked: CheckedRows },
): Promise<Counts> {
  const { contaId } = session
  // First, so that a crash comes before the other callbacks publish.
  tx.afterCommit(() => deps.crashPoint('importacao.apos-commit'))
  await requireRoom(tx, contaId, plan.novos.length)
  const tagIds = await ensureEtiquetas(tx, deps, contaId, plan)
  const tagged: TaggedContato[] = []
  const missed: ImportRow[] = []
  for (const part of batchesOf(plan.novos.toSorted(byPhone))) {
    const contatos = part.map((row) => ({ ...row, id: deps.ids.uuid() }))
    const created = await insertSavedContatos(tx, contaId, contatos, deps.clock.now())
    for (const row of contatos) {
      if (created.has(row.id)) tagged.push(...tagsOf(row.id, row.etiquetas, tagIds))
      else missed.push(row)
    }
    deps.crashPoint('importacao.parte-gravada')
  }
  const late = await makePlan(tx, deps, contaId, { rows: missed, pace: () => Promise.resolve() })
  const changes = [...plan.atualizados, ...late.atualizados].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const part of batchesOf(changes)) {
    const known = await updateSavedContatos(tx, contaId, part, deps.clock.now())
    for (const { id, added } of part) if (known.has(id)) tagged.push(...tagsOf(id, added, tagIds))
  }
  for (const part of batchesOf(tagged)) await addEtiquetas(tx, { contaId, i: part })
  await announceContatos(tx, deps, contaId, changes)
  const counts = {
    novos: plan.novos.length - missed.length,
    atualizados: changes.length,
    iguais: plan.iguais + late.iguais + checked.repeated,
    apagados: plan.apagados.size - missed.filter(({ telefone }) => plan.apagados.has(telefone)).length,
  }
  const erased =
    counts.apagados === 0 ? '' : `, ${counts.apagados} dos novos apagado${counts.apagados === 1 ? '' : 's'} antes`
  const detalhe = `${counts.novos} novos e ${counts.atualizados} alterados${erased}`
  await recordAuditoria(tx, deps, { acao: 'contatosImportados', quem: session, detalhe })
  await addAvisos(tx, deps, contaId, [
    { usuarioId: session.usuarioId, tipo: 'importacao', texto: `Importação de contatos concluída: ${detalhe}.` },
  ])
  deps.crashPoint('importacao.antes-commit')
  return counts
}

const byPhone = (a: ImportRow, b: ImportRow): number => (a.telefone < b.telefone ? -1 : 1)

function tagsOf(contatoId: string, names: readonly string[], ids: ReadonlyMap<string, string>): TaggedContato[] {
  return names.flatMap((name) => {
    const etiquetaId = ids.get(etiquetaKey(name))
    return etiquetaId === undefined ? [] : [{ contatoId, etiquetaId }]
  })
}

/** Returns the ids by key. Throws `limitePlano`. */
async function ensureEtiquetas(
  tx: Tx,
  { ids }: ImportDeps,
  contaId: string,
  { novos, atualizados }: ImportPlan,
): Promise<ReadonlyMap<string, string>> {
  await lockNewEtiquetas(tx, { contaId })
  const known = new Map((await listEtiquetas(tx, { contaId })).map(({ id, chave }) => [chave, id]))
  const missing = new Map(namesOf(novos, atualizados).filter(([key]) => !known.has(key)))
  if (known.size + missing.size > ETIQUETAS_MAX) throw tooManyEtiquetas(known.size + missing.size)
  if (missing.size === 0) return known
  const created = [...missing].map(([chave, nome]) => ({ id: ids.uuid(), chave, nome, cor: 'gray' as const }))
  await insertEtiquetas(tx, { contaId, i: created })
  return new Map([...known, ...created.map(({ id, chave }) => [chave, id] as const)])
}

function namesOf(novos: readonly ImportRow[], atualizados: readonly ImportChange[]): (readonly [string, string])[] {
  const names = novos.flatMap(({ etiquetas }) => etiquetas)
  return [...names, ...atualizados.flatMap(({ added }) => added)].map((name) => [etiquetaKey(name), name])
}

const WORK_MS = 10
const REST = 5

/** Rests after 10 ms of work, so that other requests are answered as usual. */
type Pace = () => Promise<void>

function createPace(): Pace {
  let start = performance.now()
  return async () => {
    const worked = performance.now() - start
    if (worked < WORK_MS) return
    await sleep(worked * REST)
    start = performance.now()
  }
}
