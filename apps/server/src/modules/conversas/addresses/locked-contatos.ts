import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

const contatoSchema = z.object({
  id: z.string(),
  nome: z.string(),
  telefone: z.string(),
  nome_usuario: z.string(),
  nome_do_painel: z.boolean(),
  observacao: z.string(),
  editado_em: z.nullable(z.date()),
  /** Address of the service where replies go. */
  endereco: z.string(),
  ultima_atividade: z.date(),
  conversa_id: z.nullable(z.string()),
  estado: z.unknown(),
  trocas: z.unknown(),
  retomou_em: z.nullable(z.date()),
  janela_desde: z.nullable(z.date()),
  ultimo_id: z.nullable(z.string()),
  ultima_saida: z.nullable(z.string()),
  /** First message of the question that the AI has not answered yet. */
  pergunta_desde: z.nullable(z.string()),
  aberta_id: z.nullable(z.string()),
  aberta_status: z.nullable(z.enum(['bot', 'aguardando', 'em_atendimento'])),
  aberta_setor: z.nullable(z.string()),
  /** Operador of the open conversa. */
  operador_id: z.nullable(z.string()),
  /** The searched addresses that lead to this contato. */
  achados: z.array(z.string()),
})
export type AddressOwner = z.output<typeof contatoSchema>

const LOCK_SQL = `
select c.id from contatos c
where c.conta_id = $1 and c.id in (select contato_id from enderecos where conta_id = $1 and endereco = any ($2::text[]))
order by c.id for update of c`

/** A separate statement, so that its snapshot is taken after the locks. */
const READ_SQL = `
select c.id, c.nome, c.telefone, c.nome_usuario, c.nome_do_painel, c.observacao, c.editado_em, c.endereco, c.ultima_atividade, c.conversa_id, c.estado, c.trocas,
  c.janela_desde, c.ultimo_id, c.ultima_saida, v.id as aberta_id, v.status as aberta_status, v.setor as aberta_setor, v.operador_id,
  (select max(s.criado_em) from consentimentos s where s.conta_id = c.conta_id and s.contato_id = c.id
   and s.ato = 'retomada') as retomou_em,
  (select coalesce(p.desde_id, p.id) from perguntas_ia p where p.conta_id = c.conta_id and p.contato_id = c.id
   and c.estado ->> 'pergunta' = p.id::text) as pergunta_desde,
  array(select e.endereco from enderecos e where e.conta_id = c.conta_id and e.contato_id = c.id
        and e.endereco = any ($2::text[])) as achados
from contatos c
left join conversas v on v.conta_id = c.conta_id and v.contato_id = c.id and v.status <> 'finalizada'
where c.conta_id = $1 and c.id = any ($3::uuid[]) order by c.id`

/** Locks the contatos of these addresses in id order, like every transaction that locks contatos. */
export async function lockByAddress(tx: Tx, contaId: string, canonicos: readonly string[]): Promise<AddressOwner[]> {
  const locked = await tx.rows(z.object({ id: z.string() }), LOCK_SQL, [contaId, canonicos])
  const ids = locked.map(({ id }) => id)
  return ids.length === 0 ? [] : tx.rows(contatoSchema, READ_SQL, [contaId, canonicos, ids])
}
