import * as z from 'zod/mini'
import type { Carrinho } from '@balcao/contract/entities/pedido'
import { subtotalOf } from '@balcao/engine/pedidos/totals'
import { parseState } from '@balcao/engine/stored-state/parse'
import { dialogue, joinDialogue } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { findServed } from '#modules/conversas/index.ts'

const findState = oneRow(
  'pedidos: state of a dialogue',
  z.object({ estado: z.unknown() }),
  sql`select ${dialogue('v', 'estado')} as estado from conversas v
      join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
      ${joinDialogue('v')}
      where v.conta_id = ${contaId} and v.id = ${value('id', 'uuid')}`,
)

/** The order that the customer of a conversa is writing. Throws `naoEncontrado` for a conversa closed to the reader. */
export async function readCarrinho(tx: Tx, session: LoginSession, conversaId: string): Promise<Carrinho | null> {
  const { contaId: conta } = session
  if ((await findServed(tx, conta, conversaId, session)) === null) throw new AppError('naoEncontrado')
  const row = await findState(tx, { contaId: conta, id: conversaId })
  const { carrinho } = parseState(row?.estado)
  if (carrinho === null || carrinho.itens.length === 0) return null
  const { itens, cupom, mudouEm } = carrinho
  return { itens, cupom, subtotalCentavos: subtotalOf(itens), mudouEm: new Date(mudouEm).toISOString() }
}
