import * as z from 'zod/mini'
import type { TitularExport } from '@balcao/contract/entities/lgpd'
import { type Midia, midiaSchema } from '@balcao/contract/entities/mensagem'
import { instant } from '#db/statement/fields.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { linhaSql } from '#modules/conversas/index.ts'
import { mensagemMarksSchema, marksView } from '#modules/mensagens/index.ts'
import { listCartsOf } from '#modules/cardapio/index.ts'
import { listPedidosOf } from '#modules/pedidos/index.ts'
import { listMentions } from '#modules/logs/index.ts'
import { mentionOf } from './mentions.ts'
import { readController } from './privacidade.ts'
import { findTitular, type Titular } from './titular.ts'

const contatoId = value('contatoId', 'uuid')
const after = value('after', 'uuid')
const ofContato = sql`v.conta_id = ${contaId} and v.contato_id = ${contatoId}`
const withMensagens = sql`conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id`
const inPage = sql`${ofContato} and m.id > ${after} and m.id <= ${value('last', 'uuid')}`

const listConversas = manyRows(
  'lgpd: list conversas',
  z.object({
    id: z.string(),
    protocolo: z.nullable(z.string()),
    status: z.string(),
    setor: z.nullable(z.string()),
    operador: z.nullable(z.string()),
    iniciadaEm: instant,
    finalizadaEm: z.nullable(instant),
    resumoIa: z.nullable(z.string()),
  }),
  sql`select v.id, v.protocolo, v.status, v.setor, v.operador, v.iniciada_em, v.finalizada_em, v.resumo_ia from conversas v
      where ${ofContato} order by v.id`,
)

const listNotas = manyRows(
  'lgpd: list notas',
  z.object({ conversaId: z.string(), texto: z.string(), autor: z.string(), criadaEm: instant }),
  sql`select n.conversa_id, n.texto, n.autor, n.criada_em from conversas v
      join notas n on n.conta_id = v.conta_id and n.conversa_id = v.id
      where ${ofContato} order by n.id`,
)

const listAgendadas = manyRows(
  'lgpd: list agendadas',
  z.object({ conversaId: z.string(), texto: z.string(), autor: z.string(), estado: z.string(), enviarEm: instant }),
  sql`select a.conversa_id, a.texto, a.autor, a.estado, a.enviar_em from conversas v
      join agendadas a on a.conta_id = v.conta_id and a.conversa_id = v.id
      where ${ofContato} order by a.id`,
)

const listAvaliacoes = manyRows(
  'lgpd: list avaliacoes',
  z.object({ conversaId: z.string(), nota: z.int(), setor: z.nullable(z.string()), criadaEm: instant }),
  sql`select conversa_id, nota, setor, criada_em from avaliacoes
      where conta_id = ${contaId} and contato_id = ${contatoId} order by id`,
)

const listConsentimentos = manyRows(
  'lgpd: list consentimentos',
  z.object({
    ato: z.enum(['aviso', 'parada', 'retomada']),
    texto: z.nullable(z.string()),
    canal: z.string(),
    criadoEm: instant,
  }),
  sql`select c.ato, a.texto, c.canal, c.criado_em from consentimentos c
      left join avisos_privacidade a on a.conta_id = c.conta_id and a.versao = c.aviso_versao
      where c.conta_id = ${contaId} and c.contato_id = ${contatoId} order by c.id`,
)

const listVisitas = manyRows(
  'lgpd: list visits of the chat',
  z.object({ nome: z.string(), identidade: z.string(), pagina: z.string(), criadaEm: instant, expiraEm: instant }),
  sql`select w.nome, w.identidade, w.pagina, w.criado_em as criada_em, w.expira_em from enderecos e
      join webchat_visitantes w on w.conta_id = e.conta_id and w.endereco = e.endereco
      where e.conta_id = ${contaId} and e.contato_id = ${contatoId} order by w.id`,
)

const PAGE_MENSAGENS = 1_000
const PAGE_BYTES = 5_000_000

/** The mensagens after an id, at most 1,000, and further ones while those before them have less than 5 MB. */
const listMensagens = manyRows(
  'lgpd: list mensagens',
  z.object({
    id: z.string(),
    conversaId: z.string(),
    linha: z.string(),
    direcao: z.enum(['entrada', 'saida']),
    origem: z.string(),
    texto: z.string(),
    midia: z.unknown(),
    extras: z.nullable(mensagemMarksSchema),
    naFila: z.boolean(),
    criadaEm: instant,
  }),
  sql`
select m.id, m.conversa_id, ${linhaSql('m')} ->> 'nome' as linha, m.direcao, m.origem, m.texto, m.midia, m.extras, m.criada_em, exists (
  select 1 from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id) as na_fila
from (
  select m.*, sum(t.bytes) over (order by m.id) - t.bytes as antes from (
    select m.*, v.linha_id from ${withMensagens}
    where ${ofContato} and m.id > ${after} order by m.id limit ${rawSql(String(PAGE_MENSAGENS))}
  ) m left join respostas_ia r on r.conta_id = m.conta_id and r.mensagem_id = m.id
  cross join lateral (select octet_length(m.texto) + coalesce(octet_length(r.dados::text), 0) as bytes) t
) m where m.antes < ${rawSql(String(PAGE_BYTES))} order by m.id`,
)

const listArquivos = manyRows(
  'lgpd: list arquivos',
  z.object({
    nome: z.string(),
    nomeOriginal: z.string(),
    tipo: z.string(),
    tamanho: z.int(),
    criadaEm: instant,
  }),
  sql`select a.nome, a.nome_original, a.tipo, a.tamanho, a.criado_em as criada_em
      from ${withMensagens} and m.midia is not null
      join arquivos a on a.conta_id = m.conta_id and '/api/midias/' || a.nome = m.midia ->> 'url'
      where ${inPage} order by m.id`,
)

const listRespostas = manyRows(
  'lgpd: list respostas',
  z.object({ mensagemId: z.string(), dados: z.unknown(), criadaEm: instant }),
  sql`select r.mensagem_id, r.dados, r.criada_em from ${withMensagens}
      join respostas_ia r on r.conta_id = m.conta_id and r.mensagem_id = m.id
      where ${inPage} order by r.mensagem_id`,
)

const hasMore = oneValue(
  'lgpd: has more mensagens',
  z.boolean(),
  sql`select exists (select 1 from ${withMensagens} where ${ofContato} and m.id > ${after}) as value`,
)

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export interface ExportRequest {
  readonly escrito: string
  readonly cursor?: string | undefined
  readonly agora: Date
  readonly avisoPadrao: string
  readonly fileUrl: (url: string) => string
}

interface ExportPage extends TitularExport {
  readonly proximoCursor?: string
}

/** Returns one page of all stored data of a customer (LGPD art. 18, II and V). Throws `naoEncontrado`. */
export async function exportTitular(tx: Tx, contaId: string, request: ExportRequest): Promise<ExportPage> {
  const { escrito, cursor, agora } = request
  const titular = await findTitular(tx, contaId, escrito)
  return {
    geradoEm: agora.toISOString(),
    empresa: await readController(tx, { contaId }),
    contato: {
      id: titular.id,
      nome: titular.nome,
      telefone: titular.telefone,
      ...(titular.nomeUsuario === '' ? {} : { nomeUsuario: titular.nomeUsuario }),
      etiquetas: titular.etiquetas,
      observacao: titular.observacao,
      enderecos: titular.enderecos,
      ...(Object.keys(titular.trocas).length === 0 ? {} : { mudancas: exportMoves(titular) }),
      criadoEm: titular.criadoEm,
      ultimaAtividade: titular.ultimaAtividade,
      memoriaDoBot: titular.memoria,
    },
    ...(cursor === undefined ? await exportOnce(tx, contaId, titular, request) : NOTHING_MORE),
    ...(await exportTalk(tx, contaId, titular, request)),
  }
}

type ExportedOnce = Pick<
  TitularExport,
  | 'conversas'
  | 'notas'
  | 'agendadas'
  | 'avaliacoes'
  | 'consentimentos'
  | 'registros'
  | 'pedidos'
  | 'carrinhos'
  | 'visitas'
>

const NOTHING_MORE: ExportedOnce = {
  ...{ conversas: [], notas: [], agendadas: [], avaliacoes: [], consentimentos: [], registros: [] },
  ...{ pedidos: [], carrinhos: [], visitas: [] },
}

async function exportOnce(
  tx: Tx,
  contaId: string,
  titular: Titular,
  { avisoPadrao }: ExportRequest,
): Promise<ExportedOnce> {
  const ref = { contaId, contatoId: titular.id }
  const mentions = await listMentions(tx, { contaId, ...(await mentionOf(tx, contaId, titular)) })
  return {
    conversas: await listConversas(tx, ref),
    notas: await listNotas(tx, ref),
    agendadas: await listAgendadas(tx, ref),
    pedidos: await listPedidosOf(tx, contaId, titular.id),
    carrinhos: await listCartsOf(tx, ref),
    avaliacoes: await listAvaliacoes(tx, ref),
    visitas: await listVisitas(tx, ref),
    consentimentos: (await listConsentimentos(tx, ref)).map(({ texto, ...consentimento }) => ({
      ...consentimento,
      texto: consentimento.ato === 'aviso' ? (texto ?? avisoPadrao) : null,
    })),
    registros: mentions.map(({ timestamp, ...registro }) => ({ ...registro, timestamp: timestamp.toISOString() })),
  }
}

function exportMoves({ trocas }: Titular): NonNullable<TitularExport['contato']['mudancas']> {
  return Object.entries(trocas).map(([endereco, { em, deixado }]) => ({
    ...{ endereco, deixado, em: new Date(em).toISOString() },
  }))
}

type ExportedTalk = Pick<ExportPage, 'mensagens' | 'midias' | 'respostasIa' | 'proximoCursor'>

async function exportTalk(
  tx: Tx,
  contaId: string,
  { id }: Titular,
  { fileUrl, cursor = FIRST_ID }: ExportRequest,
): Promise<ExportedTalk> {
  const ref = { contaId, contatoId: id, after: cursor }
  const mensagens = await listMensagens(tx, ref)
  const last = mensagens.at(-1)?.id ?? cursor
  const arquivos = await listArquivos(tx, { ...ref, last })
  const respostasIa = await listRespostas(tx, { ...ref, last })
  return {
    ...((await hasMore(tx, { ...ref, after: last })) ? { proximoCursor: last } : {}),
    mensagens: mensagens.map(({ midia, extras, ...mensagem }) => ({
      ...mensagem,
      ...(extras === null ? {} : { marcas: marksView(extras) }),
      midia: readableMidia(midia, fileUrl),
    })),
    midias: arquivos.map(({ nome, ...arquivo }) => ({ ...arquivo, url: fileUrl(`/api/midias/${nome}`) })),
    respostasIa,
  }
}

function readableMidia(midia: unknown, fileUrl: ExportRequest['fileUrl']): Midia | null {
  const parsed = midiaSchema.safeParse(midia).data
  if (parsed === undefined) return null
  return { ...parsed, ...(parsed.url === undefined ? {} : { url: fileUrl(parsed.url) }) }
}
