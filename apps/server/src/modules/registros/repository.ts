import * as z from 'zod/mini'
import type { ConversaBot } from '@balcao/contract/entities/conversa'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
import { instant } from '#db/statement/fields.ts'
import { dialogue, joinDialogue, lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'

const botStateSchema = z.looseObject({ etapa: z.string() })

const listRows = manyRows(
  'registros: list conversas',
  z.object({
    id: z.string(),
    status: z.string(),
    iniciadoEm: instant,
    ultimaAtividade: z.date(),
    telefone: z.string(),
    nome: z.string(),
    estado: z.unknown(),
    conversaId: z.nullable(z.string()),
    texto: z.nullable(z.string()),
    midia: z.unknown(),
    criadaEm: z.nullable(instant),
  }),
  sql`
select v.id, v.status, v.iniciada_em as iniciado_em, coalesce(u.criada_em, v.finalizada_em, v.iniciada_em) as ultima_atividade,
  c.telefone, c.nome, ${dialogue('v', 'estado')} as estado, ${dialogue('v', 'conversa_id')} as conversa_id, u.texto, u.midia, u.criada_em
from conversas v
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
${joinDialogue('v')}
left join lateral (
  select m.texto, m.midia, m.criada_em from mensagens m
  where m.conta_id = v.conta_id and m.conversa_id = v.id order by m.id desc limit 1
) u on true
where v.conta_id = ${contaId} and (${value('before', 'uuid?')} is null or v.id < ${value('before', 'uuid?')})
  and (${value('linha', 'uuid?')} is null or ${lineOf('v')} = ${value('linha', 'uuid?')})
order by v.id desc limit ${value('limit', 'int')}`,
)

/** A bot conversa without activity since `inactiveBefore` is reported as inactive. */
export async function listConversas(
  tx: Tx,
  contaId: string,
  { limite, before }: Page,
  { linha, inactiveBefore }: { readonly linha: string | null; readonly inactiveBefore: Date },
): Promise<ConversaBot[]> {
  const rows = await listRows(tx, { contaId, linha, before, limit: limite + 1 })
  return rows.map(({ status, ultimaAtividade, estado, conversaId, texto, midia, criadaEm, ...row }) => {
    const attended = status === 'aguardando' || status === 'em_atendimento'
    return {
      ...row,
      etapa: attended ? 'humano' : etapaOf(conversaId === row.id ? estado : null, status),
      ativa: attended || (status === 'bot' && ultimaAtividade > inactiveBefore),
      ...(texto === null || criadaEm === null
        ? {}
        : { ultimaMensagem: { texto: summaryOf(texto, midia), timestamp: criadaEm } }),
      ultimaAtividade: ultimaAtividade.toISOString(),
    }
  })
}

function summaryOf(texto: string, midia: unknown): string {
  const parsed = midiaSchema.safeParse(midia)
  return summarizeMensagem(parsed.success ? { texto, midia: parsed.data } : { texto })
}

function etapaOf(state: unknown, status: string): string {
  const parsed = botStateSchema.safeParse(state)
  if (parsed.success) return parsed.data.etapa
  return status === 'finalizada' ? 'finalizada' : 'menu'
}
