import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

const contatoSchema = z.object({
  id: z.string(),
  nome: z.string(),
  telefone: z.string(),
  nomeUsuario: z.string(),
  nomeDoPainel: z.boolean(),
  observacao: z.string(),
  editadoEm: z.nullable(z.date()),
  endereco: z.string(),
  ultimaAtividade: z.date(),
  conversaId: z.nullable(z.string()),
  estado: z.unknown(),
  trocas: z.unknown(),
  retomouEm: z.nullable(z.date()),
  janelaDesde: z.nullable(z.date()),
  ultimoId: z.nullable(z.string()),
  ultimaSaida: z.nullable(z.string()),
  /** Of the question that the AI has not answered yet. */
  perguntaDesde: z.nullable(z.string()),
  abertaId: z.nullable(z.string()),
  abertaStatus: z.nullable(z.enum(['bot', 'aguardando', 'em_atendimento'])),
  abertaSetor: z.nullable(z.string()),
  operadorId: z.nullable(z.string()),
  achados: z.array(z.string()),
})
export type AddressOwner = z.output<typeof contatoSchema>

const canonicos = value('canonicos', 'text[]')

const lockOwners = manyRows(
  'conversas: lock owners of addresses',
  z.object({ id: z.string() }),
  sql`
select c.id from contatos c
where c.conta_id = ${contaId}
  and c.id in (select contato_id from enderecos where conta_id = ${contaId} and endereco = any (${canonicos}))
order by c.id for update of c`,
)

/** A separate statement, so that its snapshot is taken after the locks. */
const readOwners = manyRows(
  'conversas: read owners of addresses',
  contatoSchema,
  sql`
select c.id, c.nome, c.telefone, c.nome_usuario, c.nome_do_painel, c.observacao, c.editado_em, c.endereco, c.ultima_atividade,
  c.conversa_id, c.estado, c.trocas, c.janela_desde, c.ultimo_id, c.ultima_saida, v.id as aberta_id,
  v.status as aberta_status, v.setor as aberta_setor, v.operador_id,
  (select max(s.criado_em) from consentimentos s where s.conta_id = c.conta_id and s.contato_id = c.id
   and s.ato = 'retomada') as retomou_em,
  (select coalesce(p.desde_id, p.id) from perguntas_ia p where p.conta_id = c.conta_id and p.contato_id = c.id
   and c.estado ->> 'pergunta' = p.id::text) as pergunta_desde,
  array(select e.endereco from enderecos e where e.conta_id = c.conta_id and e.contato_id = c.id
        and e.endereco = any (${canonicos})) as achados
from contatos c
left join conversas v on v.conta_id = c.conta_id and v.contato_id = c.id and v.linha_id is null
  and v.status <> 'finalizada'
where c.conta_id = ${contaId} and c.id = any (${value('ids', 'uuid[]')}) order by c.id`,
)

/** In id order, like every transaction that locks contatos. */
export async function lockByAddress(tx: Tx, contaId: string, canonicos: readonly string[]): Promise<AddressOwner[]> {
  const locked = await lockOwners(tx, { contaId, canonicos })
  const ids = locked.map(({ id }) => id)
  return ids.length === 0 ? [] : readOwners(tx, { contaId, canonicos, ids })
}
