import * as z from 'zod/mini'
import { pedidoSchema } from './pedido.ts'
import { CONVERSAS_DIAS } from '#constants.ts'
import { idSchema, instantSchema } from './common.ts'
import { mensagemSchema, midiaSchema } from './mensagem.ts'

/** Privacy settings and data of customers by the LGPD (Lei 13.709/2018). */

export const RETENCAO = { minimo: 7, maximo: 3650, padrao: CONVERSAS_DIAS } as const

export const LINK_PRIVACIDADE = '{privacidade}'

export const AVISO_PADRAO =
  '🔒 {empresa} usa seu nome, seu número e esta conversa só para atender você. Saiba mais: {privacidade}\nPara não receber mensagens automáticas, escreva *PARAR*.'

export const privacidadeSchema = z.object({
  retencaoDias: z
    .int('Informe os dias em números')
    .check(
      z.gte(RETENCAO.minimo, `O prazo é de no mínimo ${RETENCAO.minimo} dias`),
      z.lte(RETENCAO.maximo, `O prazo é de no máximo ${RETENCAO.maximo} dias`),
    ),
  /** Legal hold: while true, neither retention nor a request erases data. */
  guardaLegal: z.boolean(),
  /** Notice sent once to each customer, with the first greeting. */
  aviso: z.object({
    ativo: z.boolean(),
    texto: z.string().check(
      z.trim(),
      z.minLength(1, 'Escreva o aviso'),
      z.maxLength(1000, 'O aviso deve ter no máximo 1000 caracteres'),
      z.refine(
        (text) => text.includes(LINK_PRIVACIDADE) || text.includes('https://'),
        `Inclua o link da política de privacidade: escreva ${LINK_PRIVACIDADE} onde ele deve aparecer`,
      ),
    ),
  }),
})
export type Privacidade = z.infer<typeof privacidadeSchema>

/** Only the changed fields. A page opened earlier must not switch off a legal hold that was set meanwhile. */
export const privacidadePatchSchema = z.partial(
  z.extend(privacidadeSchema, { aviso: z.partial(privacidadeSchema.shape.aviso) }),
)
export type PrivacidadePatch = z.infer<typeof privacidadePatchSchema>

export const PRIVACIDADE_PADRAO: Privacidade = {
  retencaoDias: RETENCAO.padrao,
  guardaLegal: false,
  aviso: { ativo: false, texto: AVISO_PADRAO },
}

const titularCountsSchema = z.object({
  conversas: z.int(),
  mensagens: z.int(),
  /** Absent: the server is older than notas. */
  notas: z.optional(z.int()),
  midias: z.int(),
  avaliacoes: z.int(),
  consentimentos: z.int(),
  registros: z.int(),
  respostasIa: z.int(),
})
export type TitularCounts = z.infer<typeof titularCountsSchema>

export const titularSummarySchema = z.object({
  nome: z.string(),
  telefone: z.string(),
  nomeUsuario: z.optional(z.string()),
  desde: instantSchema,
  ultimaAtividade: instantSchema,
  /** Instant when the customer stopped automatic messages. Null: not requested. */
  paradoDesde: z.nullable(instantSchema),
  emAtendimento: z.boolean(),
  contagem: titularCountsSchema,
})
export type TitularSummary = z.infer<typeof titularSummarySchema>

const consentActSchema = z.enum(['aviso', 'parada', 'retomada'])

/** All data stored about one customer (LGPD art. 18, II and V), readable by people and by other services. */
export const titularExportSchema = z.object({
  geradoEm: instantSchema,
  empresa: z.string(),
  contato: z.object({
    id: idSchema,
    nome: z.string(),
    telefone: z.string(),
    nomeUsuario: z.optional(z.string()),
    etiquetas: z.array(z.string()),
    observacao: z.string(),
    enderecos: z.array(z.string()),
    /** Announcements of the service about the addresses. `deixado`: the customer gave it up. */
    mudancas: z.optional(z.array(z.object({ endereco: z.string(), deixado: z.boolean(), em: instantSchema }))),
    criadoEm: instantSchema,
    ultimaAtividade: instantSchema,
    memoriaDoBot: z.unknown(),
  }),
  conversas: z.array(
    z.object({
      id: idSchema,
      protocolo: z.nullable(z.string()),
      status: z.string(),
      setor: z.nullable(z.string()),
      operador: z.nullable(z.string()),
      iniciadaEm: instantSchema,
      finalizadaEm: z.nullable(instantSchema),
      /** Summary by the AI. Null: none. Absent: the server is older than summaries. */
      resumoIa: z.optional(z.nullable(z.string())),
    }),
  ),
  mensagens: z.array(
    z.object({
      id: idSchema,
      conversaId: idSchema,
      /** Name of the line. */
      linha: z.string(),
      direcao: z.enum(['entrada', 'saida']),
      origem: z.string(),
      texto: z.string(),
      midia: z.nullable(midiaSchema),
      marcas: z.optional(
        z.pick(mensagemSchema, {
          ...{ editada: true, edicao: true, apagada: true, citada: true, reacoes: true },
          ...{ agenteMeta: true, transcricao: true },
        }),
      ),
      naFila: z.boolean(),
      criadaEm: instantSchema,
    }),
  ),
  notas: z.array(z.object({ conversaId: idSchema, texto: z.string(), autor: z.string(), criadaEm: instantSchema })),
  /** Messages that people wrote to be sent later, also those that were not sent. */
  agendadas: z.array(
    z.object({
      conversaId: idSchema,
      texto: z.string(),
      autor: z.string(),
      estado: z.string(),
      enviarEm: instantSchema,
    }),
  ),
  midias: z.array(
    z.object({
      url: z.string(),
      nomeOriginal: z.string(),
      tipo: z.string(),
      tamanho: z.int(),
      criadaEm: instantSchema,
    }),
  ),
  avaliacoes: z.array(
    z.object({ conversaId: idSchema, nota: z.int(), setor: z.nullable(z.string()), criadaEm: instantSchema }),
  ),
  consentimentos: z.array(
    z.object({ ato: consentActSchema, texto: z.nullable(z.string()), canal: z.string(), criadoEm: instantSchema }),
  ),
  registros: z.array(
    z.object({ tipo: z.string(), mensagem: z.string(), detalhes: z.unknown(), timestamp: instantSchema }),
  ),
  /** Absent: the server is older than orders. */
  pedidos: z.optional(z.array(pedidoSchema)),
  /** Carts of the menu on the web, kept for 24 hours. Absent: the server is older than it. */
  carrinhos: z.optional(
    z.array(z.object({ codigo: z.string(), totalCentavos: z.int(), criadoEm: instantSchema, expiraEm: instantSchema })),
  ),
  /** Visits of the chat on the site. `identidade`: id in the shop's own system. Absent: the server is older than the chat. */
  visitas: z.optional(
    z.array(
      z.object({
        nome: z.string(),
        identidade: z.string(),
        pagina: z.string(),
        criadaEm: instantSchema,
        expiraEm: instantSchema,
      }),
    ),
  ),
  /** Request to the AI and its answer, while they are kept. */
  respostasIa: z.array(z.object({ mensagemId: idSchema, dados: z.unknown(), criadaEm: instantSchema })),
})
export type TitularExport = z.infer<typeof titularExportSchema>

/** One entry of the record of processing activities (LGPD art. 37). */
export const operacaoSchema = z.object({
  nome: z.string(),
  finalidade: z.string(),
  titulares: z.string(),
  dados: z.string(),
  baseLegal: z.string(),
  retencao: z.string(),
  compartilhamento: z.string(),
  seguranca: z.string(),
})
export type Operacao = z.infer<typeof operacaoSchema>

export const registroOperacoesSchema = z.object({
  controlador: z.string(),
  geradoEm: instantSchema,
  operacoes: z.array(operacaoSchema),
})
export type RegistroOperacoes = z.infer<typeof registroOperacoesSchema>
