import * as z from 'zod/mini'
import type { ResumoDaConversa } from '@balcao/contract/entities/conversa'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { type BriefMensagem, buildBrief } from '@balcao/engine/atendimento/brief'
import { lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { type AccountContextDeps, contextOfLine, loadAccountContext, toBotContext } from '#modules/ia/index.ts'

const id = value('id', 'uuid')

const findHandedOver = oneRow(
  'atendimento: find hand-off',
  z.object({
    linhaId: z.string(),
    teste: z.boolean(),
    agenteMeta: z.boolean(),
    resumoIa: z.nullable(z.string()),
  }),
  sql`select ${lineOf('v')} as linha_id, v.teste, v.resumo_ia,
        v.agente_meta or exists (select from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id
          and m.extras ? 'agenteMeta') as agente_meta
      from conversas v where v.conta_id = ${contaId} and v.id = ${id}`,
)

/** Messages until the customer began to wait, newest first. A return to the queue begins another wait. */
const listBefore = manyRows(
  'atendimento: list mensagens before hand-off',
  z.object({
    origem: z.enum(['cliente', 'bot', 'ia', 'operador', 'telefone']),
    texto: z.string(),
    midia: z.nullable(midiaSchema),
    lacuna: z.nullable(z.enum(['semEntender', 'naoEntendi', 'retida'])),
    criadaEm: z.date(),
  }),
  sql`select m.origem, m.texto, m.midia, m.lacuna, m.criada_em from conversas v cross join lateral (
        select * from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id
          and m.criada_em <= coalesce(v.aguardando_desde, v.assumida_em, m.criada_em)
        order by m.id desc limit 200 offset 0
      ) m where v.conta_id = ${contaId} and v.id = ${id} order by m.id desc`,
)

/** The brief of a conversa with people. Reads settings and produtos as they are now. */
export async function readBrief(
  tx: Tx,
  deps: AccountContextDeps,
  { contaId, id }: { readonly contaId: string; readonly id: string },
): Promise<ResumoDaConversa | null> {
  const conversa = await findHandedOver(tx, { contaId, id })
  if (conversa === null) return null
  const { linhaId, teste, agenteMeta, resumoIa } = conversa
  const rows = await listBefore(tx, { contaId, id })
  const mensagens = rows.toReversed().map(({ midia, criadaEm, ...row }): BriefMensagem => ({
    ...row,
    em: criadaEm.getTime(),
    ...(midia === null ? {} : { midia: midia.tipo }),
  }))
  const account = await loadAccountContext(tx, deps, contaId)
  const brief = buildBrief({ context: toBotContext(contextOfLine(account, linhaId)), mensagens, teste })
  const motivo = agenteMeta ? 'o agente da Meta passou a conversa' : brief.motivo
  return { ...brief, motivo, ...(resumoIa === null ? {} : { ia: resumoIa }) }
}
