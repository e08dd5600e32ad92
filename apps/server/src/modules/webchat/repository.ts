import * as z from 'zod/mini'
import { changes, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'

const linhaId = value('linhaId', 'uuid')
const chave = value('chave', 'text')
const tokenHash = value('tokenHash', 'bytea')
const endereco = value('endereco', 'text')
const now = value('now', 'timestamptz')

const settingsSchema = z.object({
  contaId: z.string(),
  linhaId: z.string(),
  chave: z.string(),
  origens: z.array(z.string()),
  cor: z.string(),
  saudacao: z.string(),
  pedirNome: z.boolean(),
  segredo: z.string(),
})
export type WebchatRow = z.output<typeof settingsSchema>

const SETTINGS = sql`w.conta_id, w.linha_id, w.chave, w.origens, w.cor, w.saudacao, w.pedir_nome, w.segredo`
const ofLine = sql`w.conta_id = ${contaId} and w.linha_id = ${linhaId}`

/** The first line has the id of the account and may have no row. */
export const isLine = oneValue(
  'webchat: is line',
  z.boolean(),
  sql`select ${linhaId} = ${contaId} or exists (
    select from linhas l where l.conta_id = ${contaId} and l.id = ${linhaId} and l.removida_em is null) as value`,
)

export const findWebchat = oneRow(
  'webchat: find of line',
  settingsSchema,
  sql`select ${SETTINGS} from webchats w where ${ofLine}`,
)

export const insertWebchat = noRows(
  'webchat: insert',
  sql`insert into webchats (conta_id, linha_id, chave, origens, cor, saudacao, pedir_nome)
    values (${contaId}, ${linhaId}, ${chave}, ${value('origens', 'text[]')}, ${value('cor', 'text')},
      ${value('saudacao', 'text')}, ${value('pedirNome', 'bool')})
    on conflict (conta_id, linha_id) do nothing`,
)

export const updateWebchat = noRows(
  'webchat: update',
  sql`update webchats w set ${changes('change', { cor: 'text', saudacao: 'text', pedirNome: 'bool' })},
    origens = coalesce(${value('origens', 'text[]?')}, w.origens) where ${ofLine}`,
)

export const updateSecret = noRows(
  'webchat: update secret',
  sql`update webchats w set segredo = ${value('segredo', 'text')} where ${ofLine}`,
)

/** With its visitors. */
export const deleteWebchat = noRows('webchat: delete', sql`delete from webchats w where ${ofLine}`)

const visitorSchema = z.object({ visitanteId: z.nullable(z.string()), endereco: z.string(), nome: z.string() })

/**
 * The chat of a key whose line is active, and the visitor of the token. The session of a line is wanted exactly while
 * the line is active.
 */
export const findVisit = oneRow(
  'webchat: find visit',
  z.extend(settingsSchema, { ...visitorSchema.shape, empresa: z.string() }),
  sql`select ${SETTINGS}, v.id as visitante_id, coalesce(v.endereco, '') as endereco, coalesce(v.nome, '') as nome, c.empresa
    from webchats w
    join contas c on c.id = w.conta_id and c.excluida_em is null and c.mudanca is null
    join linhas_bots b on b.linha_id = w.linha_id and b.conta_id = w.conta_id and b.desejado and b.conector = 'webchat'
    left join webchat_visitantes v on v.conta_id = w.conta_id and v.linha_id = w.linha_id
      and v.token_hash = ${value('tokenHash', 'bytea?')} and v.expira_em > ${now}
    where w.chave = ${chave}
      and not exists (select from linhas l where l.conta_id = w.conta_id and l.id = w.linha_id
        and (not l.ativa or l.removida_em is not null))
      and exists (select from usuarios u where u.conta_id = w.conta_id and u.tipo <> 'operador'
        and u.status = 'ativo' and u.excluido_em is null)`,
)
export type VisitRow = NonNullable<Awaited<ReturnType<typeof findVisit>>>

export const isTokenOfAny = oneValue(
  'webchat: is token of any',
  z.boolean(),
  sql`select exists (select from webchat_visitantes where token_hash = ${tokenHash} and expira_em > ${now}) as value`,
)

export const insertVisitor = noRows(
  'webchat: insert visitor',
  sql`insert into webchat_visitantes (conta_id, id, linha_id, token_hash, endereco, nome, identidade, pagina, criado_em, expira_em)
    values (${contaId}, ${value('id', 'uuid')}, ${linhaId}, ${tokenHash}, ${endereco}, ${value('nome', 'text')},
      ${value('identidade', 'text')}, ${value('pagina', 'text')}, ${now}, ${value('expiraEm', 'timestamptz')})`,
)

export const deleteVisitors = noRows(
  'webchat: delete visitors of address',
  sql`delete from webchat_visitantes where conta_id = ${contaId} and endereco = ${endereco}`,
)

export const deleteExpiredVisitors = noRows(
  'webchat: delete expired visitors',
  sql`delete from webchat_visitantes where conta_id = ${contaId} and id = any (array(
    select id from webchat_visitantes where conta_id = ${contaId} and expira_em < ${value('em', 'timestamptz')}
    order by expira_em limit 1000))`,
)

/** Those of the ids that may still read. */
export const listValidVisitors = manyRows(
  'webchat: list valid visitors',
  z.object({ id: z.string() }),
  sql`select v.id from unnest(${value('ids', 'uuid[]')}, ${value('contas', 'uuid[]')}) as i (id, conta_id)
    join webchat_visitantes v on v.conta_id = i.conta_id and v.id = i.id and v.expira_em > ${now}
    join linhas_bots b on b.linha_id = v.linha_id and b.conta_id = v.conta_id and b.desejado and b.conector = 'webchat'`,
)

export const findContato = oneRow(
  'webchat: find contato of visitor',
  z.object({ contatoId: z.string() }),
  sql`select contato_id from enderecos where conta_id = ${contaId} and endereco = ${endereco}`,
)
