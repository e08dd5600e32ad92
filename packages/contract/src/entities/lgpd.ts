import * as z from 'zod/mini'
import { CONVERSAS_DIAS } from '#constants.ts'
import { idSchema, instanteSchema } from './comum.ts'
import { mensagemSchema, midiaSchema } from './mensagem.ts'

/** What an account owes its customers by the LGPD (Lei 13.709/2018). */

export const RETENCAO = { minimo: 7, maximo: 3650, padrao: CONVERSAS_DIAS } as const

/** Where the link to the privacy page stands in the notice. */
export const LINK_PRIVACIDADE = '{privacidade}'

export const AVISO_PADRAO =
  '🔒 {empresa} usa seu nome, seu número e esta conversa só para atender você. Saiba mais: {privacidade}\nPara não receber mensagens automáticas, escreva *PARAR*.'

export const privacidadeSchema = z.object({
  /** Days after which what was said is erased. */
  retencaoDias: z
    .int('Informe os dias em números')
    .check(
      z.gte(RETENCAO.minimo, `O prazo é de no mínimo ${RETENCAO.minimo} dias`),
      z.lte(RETENCAO.maximo, `O prazo é de no máximo ${RETENCAO.maximo} dias`),
    ),
  /** Legal hold: while it is on, nothing is erased, neither by age nor by request. */
  guardaLegal: z.boolean(),
  /** Said once to each customer, with the first greeting. */
  aviso: z.object({
    ativo: z.boolean(),
    texto: z.string().check(
      z.trim(),
      z.minLength(1, 'Escreva o aviso'),
      z.maxLength(1000, 'O aviso deve ter no máximo 1000 caracteres'),
      z.refine(
        (texto) => texto.includes(LINK_PRIVACIDADE) || texto.includes('https://'),
        `Inclua o link da política de privacidade: escreva ${LINK_PRIVACIDADE} onde ele deve aparecer`,
      ),
    ),
  }),
})
export type Privacidade = z.infer<typeof privacidadeSchema>

/** What somebody changes; the rest stays as it is. A window of yesterday must not switch a legal hold off. */
export const privacidadeEdicaoSchema = z.partial(
  z.extend(privacidadeSchema, { aviso: z.partial(privacidadeSchema.shape.aviso) }),
)
export type PrivacidadeEdicao = z.infer<typeof privacidadeEdicaoSchema>

export const PRIVACIDADE_PADRAO: Privacidade = {
  retencaoDias: RETENCAO.padrao,
  guardaLegal: false,
  aviso: { ativo: false, texto: AVISO_PADRAO },
}

const contagemSchema = z.object({
  conversas: z.int(),
  mensagens: z.int(),
  midias: z.int(),
  avaliacoes: z.int(),
  consentimentos: z.int(),
  registros: z.int(),
  respostasIa: z.int(),
})
export type ContagemDoTitular = z.infer<typeof contagemSchema>

/** What is kept of one customer, in numbers. */
export const resumoDoTitularSchema = z.object({
  nome: z.string(),
  telefone: z.string(),
  desde: instanteSchema,
  ultimaAtividade: instanteSchema,
  /** Since when the customer hears nothing from the machine; null while nothing was asked. */
  paradoDesde: z.nullable(instanteSchema),
  /** A person of the business is talking with this customer, or is about to. */
  emAtendimento: z.boolean(),
  contagem: contagemSchema,
})
export type ResumoDoTitular = z.infer<typeof resumoDoTitularSchema>

const atoSchema = z.enum(['aviso', 'parada', 'retomada'])

/** Everything that is kept of one customer (art. 18, II and V): readable by people, and by another service. */
export const exportacaoDoTitularSchema = z.object({
  geradoEm: instanteSchema,
  empresa: z.string(),
  contato: z.object({
    id: idSchema,
    nome: z.string(),
    telefone: z.string(),
    enderecos: z.array(z.string()),
    criadoEm: instanteSchema,
    ultimaAtividade: instanteSchema,
    /** What the bot remembers of the conversation. */
    memoriaDoBot: z.unknown(),
  }),
  conversas: z.array(
    z.object({
      id: idSchema,
      protocolo: z.nullable(z.string()),
      status: z.string(),
      setor: z.nullable(z.string()),
      operador: z.nullable(z.string()),
      iniciadaEm: instanteSchema,
      finalizadaEm: z.nullable(instanteSchema),
    }),
  ),
  mensagens: z.array(
    z.object({
      id: idSchema,
      conversaId: idSchema,
      direcao: z.enum(['entrada', 'saida']),
      origem: z.string(),
      texto: z.string(),
      midia: z.nullable(midiaSchema),
      /** What became of it: edited, taken back, reacted to; and what it quotes. */
      marcas: z.optional(
        z.pick(mensagemSchema, { editada: true, edicao: true, apagada: true, citada: true, reacoes: true }),
      ),
      /** Not sent yet. */
      naFila: z.boolean(),
      criadaEm: instanteSchema,
    }),
  ),
  midias: z.array(
    z.object({
      url: z.string(),
      nomeOriginal: z.string(),
      tipo: z.string(),
      tamanho: z.int(),
      criadaEm: instanteSchema,
    }),
  ),
  avaliacoes: z.array(
    z.object({ conversaId: idSchema, nota: z.int(), setor: z.nullable(z.string()), criadaEm: instanteSchema }),
  ),
  consentimentos: z.array(
    z.object({ ato: atoSchema, texto: z.nullable(z.string()), canal: z.string(), criadoEm: instanteSchema }),
  ),
  registros: z.array(
    z.object({ tipo: z.string(), mensagem: z.string(), detalhes: z.unknown(), timestamp: instanteSchema }),
  ),
  /** What was sent to the AI and what came back, while it is kept. */
  respostasIa: z.array(z.object({ mensagemId: idSchema, dados: z.unknown(), criadaEm: instanteSchema })),
})
export type ExportacaoDoTitular = z.infer<typeof exportacaoDoTitularSchema>

/** One line of the record of processing (art. 37). */
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
  geradoEm: instanteSchema,
  operacoes: z.array(operacaoSchema),
})
export type RegistroOperacoes = z.infer<typeof registroOperacoesSchema>
