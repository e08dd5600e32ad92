import * as z from 'zod/mini'
import {
  CONECTORES,
  CORES_SETOR,
  DISTRIBUICAO_PADRAO,
  IA_ESPERA_MAX_S,
  INATIVIDADE_PADRAO,
  PROVEDORES_IA,
  RESUMO_DIARIO_PADRAO,
  TEXTO_MAXIMO,
} from '#constants.ts'
import { lojaSchema } from './loja.ts'
import { parsePhone } from './telefone.ts'

const textSchema = z.string().check(z.maxLength(TEXTO_MAXIMO))

export const tipoOpcaoSchema = z.enum(['ia', 'humano', 'mensagem', 'finalizar', 'menu', 'loja'])
export type TipoOpcao = z.infer<typeof tipoOpcaoSchema>

export const opcaoMenuSchema = z.object({
  numero: z.string().check(z.regex(/^\d{1,3}$/, 'O número da opção deve ter de 1 a 3 dígitos')),
  titulo: z.string().check(z.minLength(1, 'O título da opção é obrigatório'), z.maxLength(200)),
  tipo: tipoOpcaoSchema,
  resposta: z._default(textSchema, ''),
  /** Only when `tipo` is `humano`. */
  setor: z.optional(z.string().check(z.maxLength(80))),
})
export type OpcaoMenu = z.infer<typeof opcaoMenuSchema>

export const setorSchema = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(80)),
  nome: z.string().check(z.trim(), z.minLength(1, 'Nome do setor é obrigatório'), z.maxLength(60)),
  cor: z.enum(CORES_SETOR),
  ativo: z.boolean(),
  criadoEm: z.string(),
})
export type Setor = z.infer<typeof setorSchema>

const startTimeSchema = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use o formato HH:MM'))
const endTimeSchema = z.string().check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Use o formato HH:MM'))

/** `inicio` inclusive, `fim` exclusive. If `fim` is not after `inicio`, the interval crosses midnight. */
export const intervaloSchema = z.object({ inicio: startTimeSchema, fim: endTimeSchema })
export type Intervalo = z.infer<typeof intervaloSchema>

const intervalos = z.array(intervaloSchema).check(z.maxLength(10))

function timeZoneExists(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('pt-BR', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const horarioSchema = z.object({
  fuso: z.string().check(z.maxLength(60), z.refine(timeZoneExists, 'Fuso horário desconhecido')),
  dias: z.object({
    seg: intervalos,
    ter: intervalos,
    qua: intervalos,
    qui: intervalos,
    sex: intervalos,
    sab: intervalos,
    dom: intervalos,
  }),
  excecoes: z
    .array(z.object({ data: z.iso.date('Data inválida'), nome: z.string().check(z.maxLength(80)), intervalos }))
    .check(z.maxLength(400)),
})
export type Horario = z.infer<typeof horarioSchema>

export const comportamentosSchema = z.object({
  sempreResponder: z.boolean(),
  lembrarContexto: z.boolean(),
  usarEmojis: z.boolean(),
  serFormal: z.boolean(),
})

const apiKeySchema = z.string().check(z.maxLength(512))

export const iaSchema = z.object({
  ativa: z.boolean(),
  /** Masked (`••••••••1234`) in every answer of the server. */
  apiKey: apiKeySchema,
  promptTreinamento: textSchema,
  modeloGemini: z.string().check(z.minLength(1), z.maxLength(120)),
  temperaturaResposta: z.number().check(z.gte(0), z.lte(1)),
  comportamentos: comportamentosSchema,
  gatilhos: z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(100))).check(z.maxLength(200)),
  respostasPredefinidas: z.object({
    cumprimento: textSchema,
    despedida: textSchema,
    naoEntendi: textSchema,
    transferirHumano: textSchema,
  }),
  /** Seconds without a new message before the AI answers, so that several short messages form one question. */
  esperaSegundos: z.int().check(z.gte(0), z.lte(IA_ESPERA_MAX_S)),
  /** Customers' images and audio go to the provider. They cannot be masked, so the owner decides. */
  lerMidia: z.boolean(),
  provedor: z.enum(PROVEDORES_IA),
  /** Address of a `compativel` provider, on a host that the administrator allowed. */
  urlBase: z.string().check(z.trim(), z.maxLength(300)),
  /** Keys of the other providers, masked in every answer of the server. The key of Gemini is `apiKey`. */
  chaves: z.object({ openai: apiKeySchema, anthropic: apiKeySchema, compativel: apiKeySchema }),
  /** The assistant stops for the rest of the month when its answers cost this much. Null: no limit. */
  orcamentoCentavosMes: z.nullable(z.int().check(z.gte(0), z.lte(100_000_000))),
  /** Sent before the first answer of the AI in a conversa. `{empresa}` is the name of the shop. */
  apresentacao: textSchema,
  /** An answer that the shop never gave is withheld and the customer is handed to people. False: only withheld. */
  transferirSemApoio: z.boolean(),
  /** Changed settings of the AI are saved only when all obligatory questions of the exam pass. */
  exigirProva: z.boolean(),
  /** The provider writes down what customers say in voice notes. */
  transcrever: z.boolean(),
})
export type IaConfig = z.infer<typeof iaSchema>

export const mensagensMenuSchema = z.object({
  boasVindas: textSchema,
  opcaoInvalida: textSchema,
  semEntender: textSchema,
  aguardandoAtendente: textSchema,
  foraPeriodo: textSchema,
  despedida: textSchema,
})

export const menuSchema = z.object({
  menuPrincipal: z.string().check(
    z.maxLength(TEXTO_MAXIMO),
    z.refine((valor) => valor.trim() !== '', 'O menu principal não pode estar vazio'),
  ),
  opcoes: z
    .array(opcaoMenuSchema)
    .check(z.minLength(1, 'Deve haver pelo menos uma opção no menu'), z.maxLength(200), (context) => {
      const seen = new Set<string>()
      context.value.forEach((opcao, index) => {
        if (seen.has(opcao.numero)) {
          context.issues.push({
            code: 'custom',
            input: opcao.numero,
            path: [index, 'numero'],
            message: 'O número da opção deve ser único',
          })
        }
        seen.add(opcao.numero)
      })
    }),
  mensagens: mensagensMenuSchema,
  /** Minutes without a message after which the bot greets again. */
  expiraEmMinutos: z.int().check(z.gte(1), z.lte(1440)),
  /** Consecutive messages that the bot did not understand before it offers a person. */
  tentativas: z.int().check(z.gte(1), z.lte(20)),
  digitando: z.boolean(),
  /** Texts of one turn leave as one message. `oficial`: only where the service charges for each message. */
  juntarMensagens: z.enum(['nunca', 'oficial', 'sempre']),
  /** Menus leave as buttons or a list, where the connector has them. */
  interativo: z.boolean(),
})
export type MenuConfig = z.infer<typeof menuSchema>

export const whatsappSchema = z.object({
  conector: z.enum(CONECTORES),
  clientId: z
    .string()
    .check(z.trim(), z.regex(/^[\w-]{0,60}$/, 'O Client ID aceita letras, números, _ e -, até 60 caracteres')),
  chromePath: z.string().check(z.maxLength(500)),
  /** Reply to a missed call. Empty: no reply. */
  respostaLigacao: textSchema,
})

export const geminiSchema = z.object({ apiKey: apiKeySchema })

const waitMinutes = z.int().check(z.gte(1), z.lte(10_080))

export const distribuicaoSchema = z.object({
  /** `manual`: people take conversas themselves. */
  modo: z._default(z.enum(['manual', 'automatica']), DISTRIBUICAO_PADRAO.modo),
  /** Conversas that one person serves at the same time. */
  capacidade: z._default(z.int().check(z.gte(1), z.lte(50)), DISTRIBUICAO_PADRAO.capacidade),
  /** Minutes without a message of the person before the next one gets the conversa. 0: never. */
  semRespostaMinutos: z._default(z.int().check(z.gte(0), z.lte(120)), DISTRIBUICAO_PADRAO.semRespostaMinutos),
})
export type Distribuicao = z.infer<typeof distribuicaoSchema>

export const inatividadeSchema = z.object({
  ativa: z._default(z.boolean(), INATIVIDADE_PADRAO.ativa),
  /** From the message of a person to `aviso`. */
  avisoMinutos: z._default(waitMinutes, INATIVIDADE_PADRAO.avisoMinutos),
  aviso: z._default(textSchema, INATIVIDADE_PADRAO.aviso),
  /** From `aviso` to the end. */
  encerrarMinutos: z._default(waitMinutes, INATIVIDADE_PADRAO.encerrarMinutos),
})
export type Inatividade = z.infer<typeof inatividadeSchema>

const PHONE_NEEDED = 'Informe o telefone com DDD, como (11) 98765-4321.'

/** The owner's phone gets a message about the day before each morning, at an hour in the shop's time zone. */
export const resumoDiarioSchema = z
  .object({
    ativo: z._default(z.boolean(), RESUMO_DIARIO_PADRAO.ativo),
    hora: z._default(startTimeSchema, RESUMO_DIARIO_PADRAO.hora),
    telefone: z._default(z.string().check(z.trim(), z.maxLength(40)), RESUMO_DIARIO_PADRAO.telefone),
  })
  .check(
    z.refine(({ ativo, telefone }) => (telefone === '' && !ativo) || parsePhone(telefone) !== null, {
      error: PHONE_NEEDED,
      path: ['telefone'],
    }),
  )
export type ResumoDiario = z.infer<typeof resumoDiarioSchema>

export const atendimentoConfigSchema = z.object({
  setores: z.array(setorSchema).check(z.maxLength(100)),
  horario: horarioSchema,
  avaliacao: z.object({ ativa: z.boolean() }),
  distribuicao: distribuicaoSchema,
  /** Sent once per conversa when the shop is open and no person of the setor is online. Empty: not sent. */
  semNinguem: textSchema,
  inatividade: inatividadeSchema,
  resumoDiario: resumoDiarioSchema,
})

export const configSchema = z.object({
  whatsapp: whatsappSchema,
  gemini: geminiSchema,
  ia: iaSchema,
  menu: menuSchema,
  atendimento: atendimentoConfigSchema,
  loja: lojaSchema,
})
export type Config = z.infer<typeof configSchema>

/** Fields that a request and an older stored version may lack, per part. `config-input.ts` derives the rest. */
export const OPTIONAL_CONFIG_FIELDS = {
  whatsapp: { conector: true, respostaLigacao: true },
  ia: {
    esperaSegundos: true,
    lerMidia: true,
    provedor: true,
    urlBase: true,
    chaves: true,
    orcamentoCentavosMes: true,
    apresentacao: true,
    transferirSemApoio: true,
    exigirProva: true,
    transcrever: true,
  },
  menu: { expiraEmMinutos: true, tentativas: true, digitando: true, juntarMensagens: true, interativo: true },
  atendimento: {
    horario: true,
    avaliacao: true,
    distribuicao: true,
    semNinguem: true,
    inatividade: true,
    resumoDiario: true,
  },
} as const

/** Configuration on the wire. `versao` is the number of the saved version. */
export const versionedConfigSchema = z.extend(configSchema, { versao: z.int().check(z.gte(1)) })
export type VersionedConfig = z.infer<typeof versionedConfigSchema>

/** A part of the saved configuration that misleads customers. `caminho` as in error details. */
export const avisoConfigSchema = z.object({
  caminho: z.string(),
  codigo: z.enum(['opcaoNoTextoNaoExiste', 'opcaoRenomeada', 'opcaoSemSaida', 'setorSemPessoas']),
  mensagem: z.string(),
})
export type AvisoConfig = z.infer<typeof avisoConfigSchema>
