import * as z from 'zod/mini'
import type { ContatoComBot } from '@balcao/contract/entities/conversa'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { limitSearch } from '#http/page.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { bindTo, nameOrPhone } from '#modules/conversas/index.ts'
import { type ConversaPage, searchCondition, SLOW_SEARCH } from './queries.ts'

const rowSchema = z.object({
  id: z.string(),
  nome: z.string(),
  telefone: z.string(),
  nome_usuario: z.string(),
  etapa: z.nullable(z.string()),
  ultima_atividade: z.date(),
  texto: z.nullable(z.string()),
  midia: z.nullable(midiaSchema),
  criada_em: z.nullable(z.date()),
})

export interface ContatosComBot {
  readonly conversas: ContatoComBot[]
  readonly proximoCursor: string | null
}

interface BotListFilter {
  readonly busca?: string | undefined
  readonly pagina: ConversaPage
}

/**
 * Lists the contatos whom the bot serves now, latest activity first: their conversa with the bot has not expired, and
 * they did not ask the bot to stop. All operadores may read them, as conversas without a setor.
 */
export async function listContatosComBot(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'vault'>,
  contaId: string,
  filter: BotListFilter,
): Promise<ContatosComBot> {
  const { config } = await loadConfig(tx, deps, contaId)
  const since = new Date(deps.clock.now().getTime() - config.menu.expiraEmMinutos * 60_000)
  const { text, values } = botListQuery(contaId, filter, since)
  const readAll = (): Promise<z.output<typeof rowSchema>[]> => tx.rows(rowSchema, text, values)
  const rows = await (filter.busca === undefined ? readAll() : limitSearch(tx, SLOW_SEARCH, readAll))
  const { limite } = filter.pagina
  const page = rows.slice(0, limite)
  const last = page.at(-1)
  const more = rows.length > limite && last !== undefined
  return {
    conversas: page.map(toContato),
    proximoCursor: more ? `${last.ultima_atividade.toISOString()}_${last.id}` : null,
  }
}

function botListQuery(
  contaId: string,
  { busca = '', pagina }: BotListFilter,
  since: Date,
): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [contaId, since.toISOString()]
  const value = bindTo(values)
  const conditions = [
    `c.conta_id = $1 and c.ultima_atividade > $2 and v.status = 'bot' and c.estado ->> 'paradoEm' is null`,
  ]
  const [, search] = searchCondition(busca.trim(), value)
  if (search !== '') conditions.push(search)
  if (pagina.depoisDe !== null) {
    const { em, id } = pagina.depoisDe
    conditions.push(`(c.ultima_atividade, c.id) < (${value(em)}::timestamptz, ${value(id)}::uuid)`)
  }
  const text = `
select c.id, c.nome, c.telefone, c.nome_usuario, c.estado ->> 'etapa' as etapa, c.ultima_atividade, u.texto, u.midia,
  u.criada_em
from contatos c
join conversas v on v.conta_id = c.conta_id and v.id = c.conversa_id
left join lateral (
  select left(m.texto, 500) as texto, m.midia, m.criada_em from mensagens m
  where m.conta_id = v.conta_id and m.conversa_id = v.id order by m.id desc limit 1
) u on true
where ${conditions.join(' and ')}
order by c.ultima_atividade desc, c.id desc limit ${value(pagina.limite + 1)}`
  return { text, values }
}

function toContato(row: z.output<typeof rowSchema>): ContatoComBot {
  const { id, telefone, nome_usuario: nomeUsuario, etapa, ultima_atividade: at, texto, midia, criada_em: em } = row
  return {
    contatoId: id,
    cliente: { nome: nameOrPhone({ ...row, nomeUsuario }), telefone, ...(nomeUsuario === '' ? {} : { nomeUsuario }) },
    etapa: etapa ?? 'nenhuma',
    ...(texto === null || em === null
      ? {}
      : {
          ultimaMensagem: {
            texto: summarizeMensagem({ texto, ...(midia === null ? {} : { midia }) }),
            timestamp: em.toISOString(),
          },
        }),
    ultimaAtividade: at.toISOString(),
  }
}
