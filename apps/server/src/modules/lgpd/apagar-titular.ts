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
import { findTitular, lockTitular } from './titular.ts'

export type ApagarDeps = Pick<
  Deps,
  'db' | 'files' | 'log' | 'realtime' | 'ids' | 'clock' | 'cofre' | 'settings' | 'bots'
>

/** Messages erased at once: whoever writes meanwhile waits for one step, not for all. */
const POR_VEZ = 2_000

/**
 * Erases one customer for good (LGPD art. 18, VI): rows, files, lines of the log, the AI's context and what waits to be
 * sent; on every node also what is remembered. A mark that cannot be read back stays, so that a restored backup is erased
 * again. Gives what there was. Throws `naoEncontrado`, and `conflito` under a legal hold.
 */
export async function apagarTitular(deps: ApagarDeps, sessao: Pedinte, escrito: string): Promise<ContagemDoTitular> {
  const { contaId } = sessao
  const { id, contagem } = await deps.db.transaction(contaId, async (tx) => {
    await exigirSemGuarda(tx, contaId)
    const titular = await findTitular(tx, contaId, escrito)
    return { id: titular.id, contagem: await contarTitular(tx, contaId, titular) }
  })
  await apagarContato(deps, contaId, id, { lapide: true })
  const mensagem = `Os dados de um cliente foram apagados a pedido dele (LGPD), por ${sessao.nome}`
  await deps.db.transaction(contaId, async (tx) => {
    await insertLog(tx, deps, contaId, { tipo: 'info', mensagem })
    await registrarAuditoria(tx, deps, { acao: 'dadosApagados', quem: sessao, detalhe: 'De um cliente, a pedido dele' })
  })
  return contagem
}

/** The same for a contact that is known already. `lapide`: false when its marks are what led here. */
export async function apagarContato(
  deps: ApagarDeps,
  contaId: string,
  contatoId: string,
  { lapide }: { readonly lapide: boolean },
): Promise<void> {
  const { db } = deps
  for (;;) {
    // What mentions a message is found by the message, so it goes first.
    const foram = await db.transaction(contaId, async (tx) => {
      const titular = await lockTitular(tx, contaId, contatoId)
      if (titular === null) return 0
      await deleteRegistros(tx, contaId, titular)
      return deleteMensagens(tx, contaId, contatoId)
    })
    if (foram < POR_VEZ) break
  }
  await db.transaction(contaId, async (tx) => {
    const titular = await lockTitular(tx, contaId, contatoId)
    if (titular === null) return
    await deleteRegistros(tx, contaId, titular)
    await deleteChaves(tx, contaId, titular)
    await deleteChegadas(tx, deps, contaId, padroesDeMaquina(titular.enderecos))
    const abertas = await deleteContato(tx, contaId, contatoId)
    if (lapide) await gravarLapides(tx, deps, contaId, titular.enderecos)
    tx.afterCommit(() => {
      deps.bots.esquecerContato(contaId, { contatoId, enderecos: titular.enderecos })
      for (const conversaId of abertas) {
        deps.realtime.publish(contaId, 'conversaFinalizada', { userId: contaId, conversaId })
      }
      const { nome, telefone } = titular
      deps.realtime.publish(contaId, 'botConversaAtiva', {
        id: contatoId,
        nome,
        telefone,
        ativa: false,
        userId: contaId,
      })
    })
  })
  await recolherArquivos(deps, contaId).catch((error: unknown) => {
    deps.log.error({ err: error, contaId }, 'files of an erased customer stay until the next sweep')
  })
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

/** Everything that hangs on the contact goes with its row. Gives its conversations with people, which panels show. */
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
