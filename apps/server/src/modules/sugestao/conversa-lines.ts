import { IA_CONTEXTO } from '@balcao/contract/constants'
import { buildIaConversa, type IaConversa } from '@balcao/engine/ia/conversa'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { iaLineColumns, iaLineSchema, isIaLine, type StoredIaLine, toIaLine } from '#modules/ia/index.ts'

/** Newest first. */
const listLines = manyRows(
  'sugestao: list lines',
  iaLineSchema,
  sql`select ${iaLineColumns} from mensagens m
    where m.conta_id = ${contaId} and m.conversa_id = ${value('conversaId', 'uuid')} and ${isIaLine}
    order by m.id desc limit ${rawSql(String(IA_CONTEXTO.mensagens + 40))}`,
)

interface ConversaToRead {
  readonly contaId: string
  readonly conversaId: string
}

/** Null: the customer wrote nothing that can be read. The question is the last block of messages of the customer. */
export async function readQuestion(tx: Tx, conversa: ConversaToRead): Promise<IaConversa | null> {
  const lines = await listLines(tx, conversa)
  const since = firstOfLastBlock(lines)
  if (since === null) return null
  const read = lines.toReversed().map((line) => toIaLine(line, false))
  return buildIaConversa(read, since, true)
}

function firstOfLastBlock(lines: readonly StoredIaLine[]): string | null {
  const last = lines.findIndex(({ direcao }) => direcao === 'entrada')
  if (last === -1) return null
  const answered = lines.findIndex(({ direcao }, index) => index > last && direcao === 'saida')
  return lines[(answered === -1 ? lines.length : answered) - 1]?.id ?? null
}
