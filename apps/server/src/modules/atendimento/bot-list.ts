import * as z from 'zod/mini'
import type { ContatoComBot } from '@balcao/contract/entities/conversa'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
import { instant } from '#db/statement/fields.ts'
import { dialogue, joinDialogue } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { limitSearch } from '#http/page.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { type ConversaPage, isFound, searchValues, SLOW_SEARCH } from './queries.ts'

const em = value('em', 'timestamptz?')

/** A condition that is null is no condition: the statement is planned with its values. */
const listRows = manyRows(
  'atendimento: list contatos of bot',
  z.object({
    id: z.string(),
    nome: z.string(),
    telefone: z.string(),
    nomeUsuario: z.string(),
    etapa: z.nullable(z.string()),
    ultimaAtividade: instant,
    texto: z.nullable(z.string()),
    midia: z.nullable(midiaSchema),
    criadaEm: z.nullable(instant),
  }),
  sql`
select c.id, c.nome, c.telefone, c.nome_usuario, ${dialogue('v', 'estado')} ->> 'etapa' as etapa, c.ultima_atividade,
  u.texto, u.midia, u.criada_em
from contatos c
cross join lateral (
  select v.* from conversas v
  where v.conta_id = c.conta_id and v.contato_id = c.id and v.status = 'bot' order by v.id desc limit 1
) v
${joinDialogue('v')}
left join lateral (
  select left(m.texto, 500) as texto, m.midia, m.criada_em from mensagens m
  where m.conta_id = v.conta_id and m.conversa_id = v.id order by m.id desc limit 1
) u on true
where c.conta_id = ${contaId} and c.ultima_atividade > ${value('since', 'timestamptz')}
  and c.estado ->> 'paradoEm' is null and ${isFound}
  and (${em} is null or (c.ultima_atividade, c.id) < (${em}, ${value('depoisDe', 'uuid?')}))
order by c.ultima_atividade desc, c.id desc limit ${value('max', 'int')}`,
)

/** Their conversa with the bot has not expired, and they did not ask the bot to stop. All operadores may read them. */
export async function listContatosComBot(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'vault'>,
  contaId: string,
  { busca, pagina }: { readonly busca?: string | undefined; readonly pagina: ConversaPage },
) {
  const { config } = await loadConfig(tx, deps, contaId)
  const since = new Date(deps.clock.now().getTime() - config.menu.expiraEmMinutos * 60_000)
  const { limite, depoisDe } = pagina
  const values = {
    ...{ contaId, since, max: limite + 1, ...searchValues((busca ?? '').trim()) },
    ...(depoisDe === null ? { em: null, depoisDe } : { em: new Date(depoisDe.em), depoisDe: depoisDe.id }),
  }
  const list = () => listRows(tx, values)
  const rows = await (busca === undefined ? list() : limitSearch(tx, SLOW_SEARCH, list))
  const page = rows.slice(0, limite)
  const last = page.at(-1)
  const more = rows.length > limite && last !== undefined
  return {
    conversas: page.map(toContato),
    proximoCursor: more ? `${last.ultimaAtividade}_${last.id}` : null,
  }
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
