import * as z from 'zod/mini'
import type { ContagemDoTitular } from '@balcao/contract/entities/lgpd'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Pedinte } from '#http/authentication.ts'
import { recolherArquivos } from '#modules/arquivos/index.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { deleteChegadas } from './chegadas.ts'
import { contarTitular } from './contar-titular.ts'
import { gravarLapides } from './lapides.ts'
import { deleteChaves, deleteRegistros, padroesDeMaquina } from './mencoes.ts'
import { exigirSemGuarda } from './privacidade.ts'
import { findTitular, lockTitular, type Titular } from './titular.ts'

export type ApagarDeps = Pick<
  Deps,
  'db' | 'files' | 'log' | 'realtime' | 'ids' | 'clock' | 'cofre' | 'settings' | 'bots'
>

/** Mensagens deleted per transaction, so a new customer message waits for one step only. */
const POR_VEZ = 2_000

/**
 * Erases all data of one customer (LGPD art. 18, VI): rows, files, log lines, AI context and queued sends, also in
 * the memory of every node. A one-way mark stays, so that a restored backup is erased again. Returns the counts
 * before the erasure. Throws `naoEncontrado`, and `conflito` under a legal hold.
 */
export async function apagarTitular(deps: ApagarDeps, sessao: Pedinte, escrito: string): Promise<ContagemDoTitular> {
  const { contaId } = sessao
  const { id, contagem } = await deps.db.transaction(contaId, async (tx) => {
    await exigirSemGuarda(tx, contaId)
    const titular = await findTitular(tx, contaId, escrito)
    return { id: titular.id, contagem: await contarTitular(tx, contaId, titular) }
  })
  await apagarContato(deps, id, { contaId, pedinte: sessao })
  return contagem
}

interface Pedido {
  readonly contaId: string
  /** Null for an erasure repeated after a backup was restored. */
  readonly pedinte: Pedinte | null
}

export async function apagarContato(deps: ApagarDeps, contatoId: string, pedido: Pedido): Promise<void> {
  const { contaId } = pedido
  for (;;) {
    if (await deps.db.transaction(contaId, (tx) => apagarParte(tx, deps, contatoId, pedido))) break
  }
  await recolherArquivos(deps, contaId).catch((error: unknown) => {
    deps.log.error({ err: error, contaId }, 'files of erased contato left to sweep')
  })
}
/**
 * Runs one transaction of the erasure. Returns true when it is complete. The last transaction deletes the contato
 * and writes the mark and the audit record together.
 */
async function apagarParte(tx: Tx, deps: ApagarDeps, contatoId: string, pedido: Pedido): Promise<boolean> {
  const { contaId, pedinte } = pedido
  const titular = await lockTitular(tx, contaId, contatoId)
  if (titular === null) return true
  // Log lines are found by the ids of mensagens, so they are deleted before the mensagens.
  await deleteRegistros(tx, contaId, titular)
  if ((await deleteMensagens(tx, contaId, contatoId)) === POR_VEZ) return false
  await deleteChaves(tx, contaId, titular)
  await deleteChegadas(tx, deps, contaId, padroesDeMaquina(titular.enderecos))
  const abertas = await deleteContato(tx, contaId, contatoId)
  tx.afterCommit(() => contar(deps, contaId, titular, abertas))
  if (pedinte !== null) {
    await anotar(tx, deps, pedinte)
    await gravarLapides(tx, deps, contaId, titular.enderecos)
  }
  return true
}

async function anotar(tx: Tx, deps: ApagarDeps, pedinte: Pedinte): Promise<void> {
  const mensagem = `Os dados de um cliente foram apagados a pedido dele (LGPD), por ${pedinte.nome}`
  await insertLog(tx, deps, pedinte.contaId, { tipo: 'info', mensagem })
  await registrarAuditoria(tx, deps, { acao: 'dadosApagados', quem: pedinte, detalhe: 'De um cliente, a pedido dele' })
}

function contar({ bots, realtime }: ApagarDeps, contaId: string, titular: Titular, abertas: readonly string[]): void {
  const { id, nome, telefone, enderecos } = titular
  bots.esquecerContato(contaId, { contatoId: id, enderecos })
  for (const conversaId of abertas) realtime.publish(contaId, 'conversaFinalizada', { userId: contaId, conversaId })
  realtime.publish(contaId, 'botConversaAtiva', { id, nome, telefone, ativa: false, userId: contaId })
}

async function deleteMensagens(tx: Tx, contaId: string, contatoId: string): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from mensagens where conta_id = $1 and id = any (array(
       select m.id from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
       where v.conta_id = $1 and v.contato_id = $2 and not exists (
         select 1 from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id)
       order by m.id limit ${POR_VEZ}))`,
    [contaId, contatoId],
  )
  return rowCount ?? 0
}

/**
 * Deletes the contato; its other rows follow by cascade. Returns the conversas with people, which panels must
 * close.
 */
async function deleteContato(tx: Tx, contaId: string, contatoId: string): Promise<string[]> {
  const valores = [contaId, contatoId]
  const abertas = await tx.rows(
    z.object({ id: z.string() }),
    'select id from conversas where conta_id = $1 and contato_id = $2 and protocolo is not null',
    valores,
  )
  for (const tabela of ['saida', 'perguntas_ia', 'avaliacoes']) {
    await tx.query(`delete from ${tabela} where conta_id = $1 and contato_id = $2`, valores)
  }
  await tx.query('delete from contatos where conta_id = $1 and id = $2', valores)
  return abertas.map(({ id }) => id)
}
