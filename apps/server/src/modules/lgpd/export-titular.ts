import * as z from 'zod/mini'
import type { TitularExport } from '@balcao/contract/entities/lgpd'
import { type Midia, midiaSchema } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import { mensagemMarksSchema, marksView } from '#modules/conversas/index.ts'
import { listMentions } from '#modules/logs/index.ts'
import { mentionOf } from './mentions.ts'
import { findTitular, type Titular } from './titular.ts'

const conversaSchema = z.object({
  id: z.string(),
  protocolo: z.nullable(z.string()),
  status: z.string(),
  setor: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  iniciada_em: z.date(),
  finalizada_em: z.nullable(z.date()),
})

const mensagemSchema = z.object({
  id: z.string(),
  conversa_id: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  origem: z.string(),
  texto: z.string(),
  midia: z.unknown(),
  extras: z.nullable(mensagemMarksSchema),
  na_fila: z.boolean(),
  criada_em: z.date(),
})

const arquivoSchema = z.object({
  nome: z.string(),
  nome_original: z.string(),
  tipo: z.string(),
  tamanho: z.int(),
  criado_em: z.date(),
})

const avaliacaoSchema = z.object({
  conversa_id: z.string(),
  nota: z.int(),
  setor: z.nullable(z.string()),
  criada_em: z.date(),
})

const consentimentoSchema = z.object({
  ato: z.enum(['aviso', 'parada', 'retomada']),
  texto: z.nullable(z.string()),
  canal: z.string(),
  criado_em: z.date(),
})

const respostaSchema = z.object({ mensagem_id: z.string(), dados: z.unknown(), criada_em: z.date() })

const PAGE_MENSAGENS = 1_000
const PAGE_BYTES = 5_000_000

/** The mensagens after $3, at most 1,000, and further ones while those before them have less than 5 MB. */
const MENSAGENS_SQL = `
select m.id, m.conversa_id, m.direcao, m.origem, m.texto, m.midia, m.extras, m.criada_em, exists (
  select 1 from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id) as na_fila
from (
  select m.*, sum(t.bytes) over (order by m.id) - t.bytes as antes from (
    select m.* from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
    where v.conta_id = $1 and v.contato_id = $2 and m.id > $3 order by m.id limit ${PAGE_MENSAGENS}
  ) m left join respostas_ia r on r.conta_id = m.conta_id and r.mensagem_id = m.id
  cross join lateral (select octet_length(m.texto) + coalesce(octet_length(r.dados::text), 0) as bytes) t
) m where m.antes < ${PAGE_BYTES} order by m.id`

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const ARQUIVOS_SQL = `
select a.nome, a.nome_original, a.tipo, a.tamanho, a.criado_em from conversas v
join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id and m.midia is not null
join arquivos a on a.conta_id = m.conta_id and '/api/midias/' || a.nome = m.midia ->> 'url'
where v.conta_id = $1 and v.contato_id = $2 and m.id > $3 and m.id <= $4 order by m.id`

const CONSENTIMENTOS_SQL = `
select c.ato, a.texto, c.canal, c.criado_em from consentimentos c
left join avisos_privacidade a on a.conta_id = c.conta_id and a.versao = c.aviso_versao
where c.conta_id = $1 and c.contato_id = $2 order by c.id`

const RESPOSTAS_SQL = `
select r.mensagem_id, r.dados, r.criada_em from conversas v
join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
join respostas_ia r on r.conta_id = m.conta_id and r.mensagem_id = m.id
where v.conta_id = $1 and v.contato_id = $2 and m.id > $3 and m.id <= $4 order by r.mensagem_id`

const HAS_MORE_SQL = `
select exists (
  select 1 from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
  where v.conta_id = $1 and v.contato_id = $2 and m.id > $3) as mais`

export interface ExportRequest {
  readonly escrito: string
  /** Id of the last mensagem of the page before. Absent: the first page. */
  readonly cursor?: string | undefined
  readonly agora: Date
  readonly avisoPadrao: string
  /** Returns the address under which the owner can read a file for some time. */
  readonly fileUrl: (url: string) => string
}

interface ExportPage extends TitularExport {
  readonly proximoCursor?: string
}

/** Returns one page of all stored data of a customer (LGPD art. 18, II and V). Throws `naoEncontrado`. */
export async function exportTitular(tx: Tx, contaId: string, request: ExportRequest): Promise<ExportPage> {
  const { escrito, cursor, agora } = request
  const titular = await findTitular(tx, contaId, escrito)
  const { empresa } = await tx.kysely
    .selectFrom('contas')
    .select('empresa')
    .where('id', '=', contaId)
    .executeTakeFirstOrThrow()
  return {
    geradoEm: agora.toISOString(),
    empresa,
    contato: {
      id: titular.id,
      nome: titular.nome,
      telefone: titular.telefone,
      ...(titular.nomeUsuario === '' ? {} : { nomeUsuario: titular.nomeUsuario }),
      etiquetas: [...titular.etiquetas],
      observacao: titular.observacao,
      enderecos: [...titular.enderecos],
      ...(Object.keys(titular.trocas).length === 0 ? {} : { mudancas: exportMoves(titular) }),
      criadoEm: titular.criadoEm.toISOString(),
      ultimaAtividade: titular.ultimaAtividade.toISOString(),
      memoriaDoBot: titular.memoria,
    },
    ...(cursor === undefined ? await exportOnce(tx, contaId, titular, request) : NOTHING_MORE),
    ...(await exportTalk(tx, contaId, titular, request)),
  }
}

type ExportedOnce = Pick<
  TitularExport,
  'conversas' | 'notas' | 'agendadas' | 'avaliacoes' | 'consentimentos' | 'registros'
>

const NOTHING_MORE: ExportedOnce = {
  ...{ conversas: [], notas: [], agendadas: [], avaliacoes: [], consentimentos: [], registros: [] },
}

async function exportOnce(
  tx: Tx,
  contaId: string,
  titular: Titular,
  { avisoPadrao }: ExportRequest,
): Promise<ExportedOnce> {
  const mentions = await listMentions(tx, { contaId, ...(await mentionOf(tx, contaId, titular)) })
  return {
    conversas: await exportConversas(tx, contaId, titular),
    notas: await exportNotas(tx, contaId, titular),
    agendadas: await exportAgendadas(tx, contaId, titular),
    ...(await exportChoices(tx, contaId, titular, avisoPadrao)),
    registros: mentions.map(({ timestamp, ...registro }) => ({ ...registro, timestamp: timestamp.toISOString() })),
  }
}

async function exportConversas(tx: Tx, contaId: string, { id }: Titular): Promise<TitularExport['conversas']> {
  const conversas = await tx.rows(
    conversaSchema,
    `select id, protocolo, status, setor, operador, iniciada_em, finalizada_em from conversas
     where conta_id = $1 and contato_id = $2 order by id`,
    [contaId, id],
  )
  return conversas.map(({ iniciada_em, finalizada_em, ...conversa }) => ({
    ...conversa,
    iniciadaEm: iniciada_em.toISOString(),
    finalizadaEm: finalizada_em?.toISOString() ?? null,
  }))
}

const notaSchema = z.object({ conversa_id: z.string(), texto: z.string(), autor: z.string(), criada_em: z.date() })

async function exportNotas(tx: Tx, contaId: string, { id }: Titular): Promise<TitularExport['notas']> {
  const notas = await tx.rows(
    notaSchema,
    `select n.conversa_id, n.texto, n.autor, n.criada_em from conversas v
     join notas n on n.conta_id = v.conta_id and n.conversa_id = v.id
     where v.conta_id = $1 and v.contato_id = $2 order by n.id`,
    [contaId, id],
  )
  return notas.map(({ conversa_id: conversaId, criada_em: em, ...nota }) => ({
    ...{ conversaId, ...nota, criadaEm: em.toISOString() },
  }))
}

const agendadaSchema = z.object({
  conversa_id: z.string(),
  texto: z.string(),
  autor: z.string(),
  estado: z.string(),
  enviar_em: z.date(),
})

async function exportAgendadas(tx: Tx, contaId: string, { id }: Titular): Promise<TitularExport['agendadas']> {
  const agendadas = await tx.rows(
    agendadaSchema,
    `select a.conversa_id, a.texto, a.autor, a.estado, a.enviar_em from conversas v
     join agendadas a on a.conta_id = v.conta_id and a.conversa_id = v.id
     where v.conta_id = $1 and v.contato_id = $2 order by a.id`,
    [contaId, id],
  )
  return agendadas.map(({ conversa_id: conversaId, enviar_em: em, ...agendada }) => ({
    ...{ conversaId, ...agendada, enviarEm: em.toISOString() },
  }))
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
  const mensagens = await tx.rows(mensagemSchema, MENSAGENS_SQL, [contaId, id, cursor])
  const last = mensagens.at(-1)?.id ?? cursor
  const values = [contaId, id, cursor, last]
  const arquivos = await tx.rows(arquivoSchema, ARQUIVOS_SQL, values)
  const respostas = await tx.rows(respostaSchema, RESPOSTAS_SQL, values)
  const [rest] = await tx.rows(z.object({ mais: z.boolean() }), HAS_MORE_SQL, [contaId, id, last])
  return {
    ...(rest?.mais === true ? { proximoCursor: last } : {}),
    mensagens: mensagens.map(({ conversa_id, na_fila, criada_em, midia, extras, ...mensagem }) => ({
      ...mensagem,
      ...(extras === null ? {} : { marcas: marksView(extras) }),
      conversaId: conversa_id,
      midia: readableMidia(midia, fileUrl),
      naFila: na_fila,
      criadaEm: criada_em.toISOString(),
    })),
    midias: arquivos.map(({ nome, nome_original, criado_em, ...arquivo }) => ({
      ...arquivo,
      url: fileUrl(`/api/midias/${nome}`),
      nomeOriginal: nome_original,
      criadaEm: criado_em.toISOString(),
    })),
    respostasIa: respostas.map(({ mensagem_id, dados, criada_em }) => ({
      mensagemId: mensagem_id,
      dados,
      criadaEm: criada_em.toISOString(),
    })),
  }
}

function readableMidia(midia: unknown, fileUrl: ExportRequest['fileUrl']): Midia | null {
  const parsed = midiaSchema.safeParse(midia).data
  if (parsed === undefined) return null
  return { ...parsed, ...(parsed.url === undefined ? {} : { url: fileUrl(parsed.url) }) }
}

type ExportedChoices = Pick<TitularExport, 'avaliacoes' | 'consentimentos'>

async function exportChoices(tx: Tx, contaId: string, { id }: Titular, avisoPadrao: string): Promise<ExportedChoices> {
  const values = [contaId, id]
  const avaliacoes = await tx.rows(
    avaliacaoSchema,
    'select conversa_id, nota, setor, criada_em from avaliacoes where conta_id = $1 and contato_id = $2 order by id',
    values,
  )
  const consentimentos = await tx.rows(consentimentoSchema, CONSENTIMENTOS_SQL, values)
  return {
    avaliacoes: avaliacoes.map(({ conversa_id, criada_em, ...avaliacao }) => ({
      ...avaliacao,
      conversaId: conversa_id,
      criadaEm: criada_em.toISOString(),
    })),
    consentimentos: consentimentos.map(({ ato, texto, canal, criado_em }) => ({
      ato,
      texto: ato === 'aviso' ? (texto ?? avisoPadrao) : null,
      canal,
      criadoEm: criado_em.toISOString(),
    })),
  }
}
