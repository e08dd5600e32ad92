import * as z from 'zod/mini'
import type { ContatoComBot } from '@balcao/contract/entities/conversa'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
import { instant } from '#db/statement/fields.ts'
import { firstActivity, lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { createCartSchema } from '@balcao/engine/pedidos/cart'
import { subtotalOf } from '@balcao/engine/pedidos/totals'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { limitSearch } from '#http/page.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { type ConversaPage, isFound, searchValues, SLOW_SEARCH } from './queries.ts'

const em = value('em', 'timestamptz?')

const since = value('since', 'timestamptz')
const linha = value('linha', 'uuid?')
const linhas = value('linhas', 'uuid[]?')

/** The dialogues of the first line, then those of others. */
const sources = sql`
select c.conta_id, c.id, null::uuid as linha_id, c.nome, c.telefone, c.nome_usuario, c.busca, c.estado ->> 'etapa' as etapa,
  c.estado -> 'carrinho' as carrinho, c.ultima_atividade
from contatos c
where c.conta_id = ${contaId} and c.ultima_atividade > ${since} and c.estado ->> 'paradoEm' is null
  and ${firstActivity} > ${since}
union all
select c.conta_id, c.id, d.linha_id, c.nome, c.telefone, c.nome_usuario, c.busca, d.estado ->> 'etapa',
  d.estado -> 'carrinho', d.ultima_atividade
from dialogos d join contatos c on c.conta_id = d.conta_id and c.id = d.contato_id
where d.conta_id = ${contaId} and d.ultima_atividade > ${since} and c.estado ->> 'paradoEm' is null`

/** A condition that is null is no condition: the statement is planned with its values. */
const listRows = manyRows(
  'atendimento: list contatos of bot',
  z.object({
    id: z.string(),
    nome: z.string(),
    telefone: z.string(),
    nomeUsuario: z.string(),
    etapa: z.nullable(z.string()),
    carrinho: z.unknown(),
    ultimaAtividade: instant,
    texto: z.nullable(z.string()),
    midia: z.nullable(midiaSchema),
    criadaEm: z.nullable(instant),
  }),
  sql`
select c.id, c.nome, c.telefone, c.nome_usuario, c.etapa, c.carrinho, c.ultima_atividade, u.texto, u.midia, u.criada_em
from (${sources}) c
cross join lateral (
  select v.* from conversas v where v.conta_id = c.conta_id and v.contato_id = c.id and v.status = 'bot'
    and v.linha_id is not distinct from c.linha_id order by v.id desc limit 1
) v
left join lateral (
  select left(m.texto, 500) as texto, m.midia, m.criada_em from mensagens m
  where m.conta_id = v.conta_id and m.conversa_id = v.id order by m.id desc limit 1
) u on true
where (${linha} is null or ${lineOf('c')} = ${linha}) and (${linhas} is null or ${lineOf('c')} = any (${linhas}))
  and ${isFound} and (${em} is null or (c.ultima_atividade, c.id) < (${em}, ${value('depoisDe', 'uuid?')}))
order by c.ultima_atividade desc, c.id desc limit ${value('max', 'int')}`,
)

interface BotListRequest {
  readonly busca?: string | undefined
  /** Only dialogues of this line. */
  readonly linha?: string | undefined
  /** The lines of the reader. Empty: all. */
  readonly linhas: readonly string[]
  /** The reader may see the orders of the conta. */
  readonly pedidos: boolean
  readonly pagina: ConversaPage
}

/** Their conversa with the bot has not expired, and they did not ask the bot to stop. All operadores of the line may read them. */
export async function listContatosComBot(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'vault'>,
  contaId: string,
  { busca, linha, linhas, pedidos, pagina }: BotListRequest,
) {
  const { config } = await loadConfig(tx, deps, contaId)
  const since = new Date(deps.clock.now().getTime() - config.menu.expiraEmMinutos * 60_000)
  const { limite, depoisDe } = pagina
  const values = {
    ...{
      contaId,
      linha: linha ?? null,
      linhas: linhas.length === 0 ? null : linhas,
      since,
      max: limite + 1,
      ...searchValues((busca ?? '').trim()),
    },
    ...(depoisDe === null ? { em: null, depoisDe } : { em: new Date(depoisDe.em), depoisDe: depoisDe.id }),
  }
  const list = () => listRows(tx, values)
  const rows = await (busca === undefined ? list() : limitSearch(tx, SLOW_SEARCH, list))
  const page = rows.slice(0, limite)
  const last = page.at(-1)
  const more = rows.length > limite && last !== undefined
  return {
    conversas: latestOfContatos(page).map((row) => ({
      ...toContato(row),
      ...(pedidos && config.loja.pedidos ? cartOf(row.carrinho) : {}),
    })),
    proximoCursor: more ? `${last.ultimaAtividade}_${last.id}` : null,
  }
}

/** A contato with the bot on two lines is listed once, with the newer dialogue. */
function latestOfContatos<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  const listed = new Set<string>()
  return rows.filter(({ id }) => !listed.has(id) && listed.add(id))
}

function toContato(row: Awaited<ReturnType<typeof listRows>>[number]): ContatoComBot {
  const { telefone, nomeUsuario, texto, midia, criadaEm } = row
  const ultimaMensagem =
    texto === null || criadaEm === null
      ? null
      : { texto: summarizeMensagem({ texto, ...(midia === null ? {} : { midia }) }), timestamp: criadaEm }
  return {
    contatoId: row.id,
    cliente: { nome: nameOrPhone(row), telefone, ...(nomeUsuario === '' ? {} : { nomeUsuario }) },
    etapa: row.etapa ?? 'nenhuma',
    ...(ultimaMensagem === null ? {} : { ultimaMensagem }),
    ultimaAtividade: row.ultimaAtividade,
  }
}

const ITEMS_SHOWN = 5
const cartSchema = createCartSchema()

function cartOf(stored: unknown): Pick<ContatoComBot, 'carrinho'> {
  const { itens = [] } = cartSchema.safeParse(stored).data ?? {}
  if (itens.length === 0) return {}
  const shown = itens.slice(0, ITEMS_SHOWN).map(({ nome, quantidade }) => ({ nome, quantidade }))
  return { carrinho: { itens: shown, totalItens: itens.length, subtotalCentavos: subtotalOf(itens) } }
}
