import { parsePhone } from '@balcao/contract/entities/telefone'
import * as z from 'zod/mini'
import { contaId, sql } from '#db/statement/sql.ts'
import { oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { countAttempt, testLimit } from '#modules/auth/index.ts'
import { openRehearsal } from '#modules/conversas/index.ts'
import { ensureContatoOfPhone } from '#modules/enderecos/index.ts'

type TestAvaliacaoDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'applyEventIn'>

/**
 * Sends and counts no message and needs no running bot. The bot stores the next nota of the contato. Throws
 * `dadosInvalidos` for an invalid phone, `muitasTentativas` after 60 tests in a minute, and `conflito` if the contato
 * is being served or the conta is in maintenance.
 */
export async function testAvaliacao(deps: TestAvaliacaoDeps, contaId: string, whatsappId: string): Promise<string> {
  const telefone = parsePhone(whatsappId)
  if (telefone === null) {
    const mensagem = 'Informe um telefone com DDD'
    throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'whatsappId', mensagem }] })
  }
  await deps.db.transaction(contaId, (tx) => countAttempt(tx, deps, testLimit('avaliacao', contaId)))
  await deps.db.transaction(contaId, async (tx) => {
    await requireNoManutencao(tx, contaId)
    const contatoId = await ensureContatoOfPhone(tx, deps, contaId, { telefone, nome: '' })
    const open = await openRehearsal(tx, { contaId, id: deps.ids.uuid(), contatoId, em: deps.clock.now() })
    if (!open) {
      throw new AppError('conflito', { erro: 'Este contato está em atendimento. Finalize a conversa antes de testar.' })
    }
    await deps.applyEventIn(tx, contaId, contatoId, (base) => ({ tipo: 'avaliacaoSimulada', ...base }))
  })
  return telefone
}

const isInManutencao = oneValue(
  'avaliacoes: is in manutencao',
  z.boolean(),
  sql`select manutencao as value from contas where id = ${contaId}`,
)

async function requireNoManutencao(tx: Tx, contaId: string): Promise<void> {
  if (await isInManutencao(tx, { contaId }))
    throw new AppError('conflito', { erro: 'O bot está em manutenção. Termine a manutenção e teste de novo.' })
}
