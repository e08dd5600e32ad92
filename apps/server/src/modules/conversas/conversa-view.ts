import * as z from 'zod/mini'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { CONNECTORS } from '@balcao/contract/connectors'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Conversa, MotivoFim, StatusConversa } from '@balcao/contract/entities/conversa'
import type { Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { isUuid } from '#lib/text.ts'
import { mayReadRow, type AnyReader } from './readers.ts'
import { MENSAGEM_COLUMNS, mensagemFromRow, type MensagemRow, nameOrPhone } from './mensagem-view.ts'

interface ConversaRow {
  conta_id: string
  id: string
  contato_id: string
  etiquetas: string[]
  revisao: number
  protocolo: string
  setor: string | null
  status: StatusConversa
  nome: string
  telefone: string
  nome_usuario: string
  ultima_atividade: Date
  iniciada_em: Date
  aguardando_desde: Date | null
  finalizada_em: Date | null
  motivo_fim: MotivoFim | null
  operador_id: string | null
  operador: string | null
  nao_lidas: number
  pediu_parada: boolean
  teste: boolean
  agente_meta: boolean
  ultimo_texto: string | null
  ultima_midia: Midia | null
  ultima_em: Date | null
}

/** The list shows one line. */
const SUMMARY_CHARS = 500

/** SQL expression: the ids of the etiquetas of a contato, in order of their names. Reads no other etiqueta. */
export const etiquetasSql = (contaId: string, contatoId: string): string => `array(
  select e.id from contatos_etiquetas ce
  cross join lateral (select * from etiquetas e where e.conta_id = ce.conta_id and e.id = ce.etiqueta_id offset 0) e
  where ce.conta_id = ${contaId} and ce.contato_id = ${contatoId} order by e.chave)`

/** With `offset 0` the planner reads a contato per conversa, also when it has no statistics yet. */
export const selectConversas = (source: string): string => `
select v.conta_id, v.id, v.contato_id, v.revisao, v.protocolo, v.setor, v.status, v.ultima_atividade, v.iniciada_em, v.aguardando_desde,
  v.finalizada_em, v.motivo_fim, v.operador_id, v.operador, v.nao_lidas, v.teste, v.agente_meta, c.nome, c.telefone, c.nome_usuario,
  (c.estado ->> 'paradoEm') is not null as pediu_parada, u.ultimo_texto, u.ultima_midia, u.ultima_em,
  ${etiquetasSql('v.conta_id', 'v.contato_id')} as etiquetas
from ${source} v
cross join lateral (select * from contatos c where c.conta_id = v.conta_id and c.id = v.contato_id offset 0) c
left join lateral (
  select left(m.texto, ${SUMMARY_CHARS}) as ultimo_texto, m.midia as ultima_midia, m.criada_em as ultima_em from mensagens m
  where m.conta_id = v.conta_id and m.conversa_id = v.id order by m.id desc limit 1
) u on true`

const PAGE_MAX_MENSAGENS = 1_000
const PAGE_MAX_BYTES = 2_000_000

/** The newest mensagens of each conversa, at most `linhas`, and further ones while those before them have less than `bytes`. */
const LAST_MENSAGENS_SQL = `
select m.* from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[]) as p (conta_id, id, linhas, bytes)
cross join lateral (
  select * from (
    select ${MENSAGEM_COLUMNS}, sum(octet_length(m.texto)) over pagina - octet_length(m.texto) as antes
    from mensagens m where m.conta_id = p.conta_id and m.conversa_id = p.id
    window pagina as (order by m.id desc rows unbounded preceding) order by m.id desc limit p.linhas
  ) m where m.antes < p.bytes
) m order by m.id`

export interface ConversasQuery {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

interface ConversaRowRef {
  readonly contaId: string
  readonly id: string
}

export async function readConversas(
  tx: Tx,
  { name, text, values }: ConversasQuery,
  mensagens = LOGS_MANTIDOS,
): Promise<Conversa[]> {
  const { rows } = await tx.queryNamed<ConversaRow & Record<string, unknown>>(name, text, [...values])
  if (rows.length === 0 || mensagens === 0) return rows.map((row) => toConversa(row, []))
  const refs = rows.map(({ conta_id: contaId, id }) => ({ contaId, id }))
  return withMensagens(rows, await readLastMensagens(tx, refs, mensagens))
}

/**
 * At most `max` of each conversa. All conversas of a conta share 1,000 mensagens and 2 MB equally; each has at least
 * its newest one. Counts per conta, because a batch has conversas of several contas.
 */
async function readLastMensagens(tx: Tx, refs: readonly ConversaRowRef[], max: number): Promise<MensagemRow[]> {
  const ofConta = new Map<string, number>()
  for (const { contaId } of refs) ofConta.set(contaId, (ofConta.get(contaId) ?? 0) + 1)
  const share = (whole: number, { contaId }: ConversaRowRef): number =>
    Math.max(1, Math.floor(whole / (ofConta.get(contaId) ?? 1)))
  const { rows } = await tx.queryNamed<MensagemRow & Record<string, unknown>>('conversas-ultimas', LAST_MENSAGENS_SQL, [
    plainArray(refs.map(({ contaId }) => contaId)),
    plainArray(refs.map(({ id }) => id)),
    plainArray(refs.map((ref) => Math.min(max, share(PAGE_MAX_MENSAGENS, ref)))),
    plainArray(refs.map((ref) => share(PAGE_MAX_BYTES, ref))),
  ])
  return rows
}

function withMensagens(rows: readonly ConversaRow[], last: readonly MensagemRow[]): Conversa[] {
  const byConversa = new Map<string, Mensagem[]>(rows.map(({ id }) => [id, []]))
  const names = new Map(rows.map((row) => [row.id, nameOrPhone(row)]))
  for (const row of last) {
    byConversa.get(row.conversa_id)?.push(mensagemFromRow(row, names.get(row.conversa_id) ?? ''))
  }
  return rows.map((row) => toConversa(row, byConversa.get(row.id) ?? []))
}

const ONE_CONVERSA_SQL = `${selectConversas('conversas')}
where v.conta_id = $1 and v.id = $2 and v.protocolo is not null`

/**
 * Null when only the bot served the conversa, it belongs to another conta, or the reader may not read it.
 */
export async function findAttendedConversa(
  tx: Tx,
  contaId: string,
  conversaId: string,
  reader: AnyReader,
): Promise<Conversa | null> {
  // Both statements are sent in one round trip.
  const [{ rows }, last] = await Promise.all([
    tx.queryNamed<ConversaRow & Record<string, unknown>>('conversa-uma', ONE_CONVERSA_SQL, [contaId, conversaId]),
    readLastMensagens(tx, [{ contaId, id: conversaId }], LOGS_MANTIDOS),
  ])
  const [conversa] = withMensagens(rows, last)
  if (conversa === undefined) return null
  const { setor, status, operadorId = null } = conversa
  return mayReadRow(reader, { setor, status, operador_id: operadorId }) ? conversa : null
}

const SOME_CONVERSAS_SQL = selectConversas(`(
  select v.* from unnest($1::uuid[], $2::uuid[]) as i (conta_id, id) cross join lateral (
    select * from conversas v where v.conta_id = i.conta_id and v.id = i.id and v.protocolo is not null offset 0
  ) v
)`)

/** Reads conversas of several contas for the server itself, without those that only the bot served. */
export function readAttendedConversas(tx: Tx, refs: readonly ConversaRowRef[]): Promise<Conversa[]> {
  const contas = plainArray(refs.map(({ contaId }) => contaId))
  const values = [contas, plainArray(refs.map(({ id }) => id))]
  return readConversas(tx, { name: 'conversas-algumas', text: SOME_CONVERSAS_SQL, values })
}

const OPEN_CONVERSA_SQL = `${selectConversas('conversas')}
where v.conta_id = $1 and v.contato_id = $2 and v.status <> 'finalizada' and v.protocolo is not null`

/** The open conversa of a contato. Null when there is none or only the bot serves it. */
export async function findOpenAttended(tx: Tx, contaId: string, contatoId: string): Promise<Conversa | null> {
  const query = { name: 'conversa-aberta', text: OPEN_CONVERSA_SQL, values: [contaId, contatoId] }
  const [conversa] = await readConversas(tx, query)
  return conversa ?? null
}

function endOf({
  finalizada_em: em,
  motivo_fim: motivoFim,
}: ConversaRow): Pick<Conversa, 'finalizadaEm' | 'motivoFim'> {
  if (em === null) return {}
  return { finalizadaEm: em.toISOString(), ...(motivoFim === null ? {} : { motivoFim }) }
}

function toConversa(row: ConversaRow, mensagens: Mensagem[]): Conversa {
  const { ultimo_texto: texto, ultima_midia: midia, ultima_em: em } = row
  return {
    id: row.id,
    revisao: row.revisao,
    contatoId: row.contato_id,
    etiquetas: row.etiquetas,
    protocolo: row.protocolo,
    setor: row.setor ?? SETOR_GERAL,
    status: row.status,
    cliente: {
      ...{ nome: nameOrPhone(row), telefone: row.telefone },
      ...(row.nome_usuario === '' ? {} : { nomeUsuario: row.nome_usuario }),
    },
    mensagens,
    ...(texto === null || em === null
      ? {}
      : {
          ultimaMensagem: {
            texto: summarizeMensagem({ texto, ...(midia === null ? {} : { midia }) }),
            timestamp: em.toISOString(),
          },
        }),
    ultimaAtividade: row.ultima_atividade.toISOString(),
    iniciadoEm: row.iniciada_em.toISOString(),
    aguardandoDesde: (row.aguardando_desde ?? row.iniciada_em).toISOString(),
    naoLidas: row.nao_lidas,
    ...(row.operador_id === null ? {} : { operadorId: row.operador_id }),
    ...(row.operador === null ? {} : { operador: row.operador }),
    ...endOf(row),
    ...(row.pediu_parada ? { pediuParada: true } : {}),
    ...(row.agente_meta ? { agenteMeta: true } : {}),
    teste: row.teste,
  }
}

export const servedConversaSchema = z.object({
  contato_id: z.string(),
  setor: z.nullable(z.string()),
  status: z.enum(['aguardando', 'em_atendimento', 'finalizada']),
  operador_id: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  teste: z.boolean(),
  agente_meta: z.boolean(),
  endereco: z.string(),
  nome: z.string(),
  telefone: z.string(),
  nome_usuario: z.string(),
})

export type ServedConversa = z.output<typeof servedConversaSchema>

export const SERVED_COLUMNS =
  'v.contato_id, v.setor, v.status, v.operador_id, v.operador, v.teste, v.agente_meta, c.endereco, c.nome, c.telefone, c.nome_usuario'
const FROM_CONVERSA = `from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
where v.conta_id = $1 and v.id = $2 and v.protocolo is not null`
const SELECT_SERVED = `select ${SERVED_COLUMNS} ${FROM_CONVERSA}`

/** Returns null for a conversa that is unknown, of another conta, of the bot, or closed to the reader. */
export async function findServed(
  tx: Tx,
  contaId: string,
  id: string,
  reader: AnyReader,
): Promise<ServedConversa | null> {
  if (!isUuid(id)) return null
  const { rows } = await tx.queryNamed('conversa-atendida', SELECT_SERVED, [contaId, id])
  const [line] = rows
  if (line === undefined) return null
  const served = servedConversaSchema.parse(line)
  return mayReadRow(reader, served) ? served : null
}

const REPLY_WINDOWS = Object.entries(CONNECTORS)
  .filter(([, { replyWindowHours }]) => replyWindowHours !== null)
  .map(([conector, { replyWindowHours }]) => `when '${conector}' then interval '${replyWindowHours} hours'`)

/**
 * End of the reply window of the contato of `v`, null for services without one. A contato who never wrote through the
 * service has a closed window.
 */
export const JANELA_UNTIL = `(select coalesce(k.janela_desde + w.hours, to_timestamp(0))
  from (select case b.conector ${REPLY_WINDOWS.join(' ')} end as hours from bots b where b.conta_id = v.conta_id) w
  left join contatos k on k.conta_id = v.conta_id and k.id = v.contato_id
  where w.hours is not null) as janela_ate`

export async function findJanela(tx: Tx, contaId: string, conversaId: string): Promise<Date | null> {
  const [line] = await tx.rows(
    z.object({ janela_ate: z.nullable(z.date()) }),
    `select ${JANELA_UNTIL} from conversas v where v.conta_id = $1 and v.id = $2`,
    [contaId, conversaId],
  )
  return line?.janela_ate ?? null
}
