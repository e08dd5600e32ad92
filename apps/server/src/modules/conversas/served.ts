import * as z from 'zod/mini'
import { CONNECTORS } from '@balcao/contract/connectors'
import { statusConversaSchema } from '@balcao/contract/entities/conversa'
import { dialogue, joinDialogue, lineOf } from '#db/statement/line.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { isUuid } from '#lib/text.ts'
import { mayReadRow, type AnyReader } from '#modules/leitores/index.ts'

export const servedConversaSchema = z.object({
  contatoId: z.string(),
  linhaId: z.string(),
  setor: z.nullable(z.string()),
  status: statusConversaSchema,
  operadorId: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  teste: z.boolean(),
  agenteMeta: z.boolean(),
  endereco: z.string(),
  nome: z.string(),
  telefone: z.string(),
  nomeUsuario: z.string(),
})

export type ServedConversa = z.output<typeof servedConversaSchema>

/** Of `conversas v` with `contatos c` and `joinDialogue('v')`. */
export const servedColumns = sql`v.contato_id, ${lineOf('v')} as linha_id, v.setor, v.status, v.operador_id, v.operador, v.teste, v.agente_meta,
  ${dialogue('v', 'endereco')} as endereco, c.nome, c.telefone, c.nome_usuario`

const findServedRow = oneRow(
  'conversa-atendida',
  servedConversaSchema,
  sql`select ${servedColumns} from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
${joinDialogue('v')}
where v.conta_id = ${contaId} and v.id = ${value('id', 'uuid')} and v.protocolo is not null`,
  { prepared: true },
)

/** Null also for a conversa of the bot, and for one closed to the reader. */
export async function findServed(
  tx: Tx,
  contaId: string,
  id: string,
  reader: AnyReader,
): Promise<ServedConversa | null> {
  const served = isUuid(id) ? await findServedRow(tx, { contaId, id }) : null
  return served !== null && mayReadRow(reader, served) ? served : null
}

const REPLY_WINDOWS = Object.entries(CONNECTORS)
  .filter(([, { replyWindowHours }]) => replyWindowHours !== null)
  .map(([conector, { replyWindowHours }]) => `when '${conector}' then interval '${replyWindowHours} hours'`)

/** Null for services without a reply window. A contato who never wrote through the service has a closed one. */
export const janelaUntil = sql`(select coalesce(case when v.linha_id is null then k.janela_desde else e.janela_desde end
    + w.hours, to_timestamp(0))
  from (
    select case b.conector ${rawSql(REPLY_WINDOWS.join(' '))} end as hours from linhas_bots b where b.linha_id = ${lineOf('v')}
  ) w
  left join contatos k on k.conta_id = v.conta_id and k.id = v.contato_id
  left join dialogos e on e.conta_id = v.conta_id and e.contato_id = v.contato_id and e.linha_id = v.linha_id
  where w.hours is not null) as janela_ate`

const findWindow = oneRow(
  'conversas: find window',
  z.object({ janelaAte: z.nullable(z.date()) }),
  sql`select ${janelaUntil} from conversas v where v.conta_id = ${contaId} and v.id = ${value('id', 'uuid')}`,
)

export async function findJanela(tx: Tx, contaId: string, id: string): Promise<Date | null> {
  return (await findWindow(tx, { contaId, id }))?.janelaAte ?? null
}
