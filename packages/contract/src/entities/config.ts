import { z } from 'zod'
import { CONECTORES, CORES_SETOR, TEXTO_MAXIMO } from '#constants.ts'

/** An account's configuration (spec §3 "Configuration", decisions §2). */

const texto = z.string().max(TEXTO_MAXIMO)
const rotulo = z.string().max(200)

export const tipoOpcaoSchema = z.enum(['ia', 'humano', 'mensagem', 'finalizar', 'menu', 'loja'])
export type TipoOpcao = z.infer<typeof tipoOpcaoSchema>

export const opcaoMenuSchema = z.object({
  numero: z.string().regex(/^\d{1,3}$/, 'O número da opção deve ter de 1 a 3 dígitos'),
  titulo: rotulo.min(1, 'O título da opção é obrigatório'),
  tipo: tipoOpcaoSchema,
  resposta: texto,
  /** Only when `tipo` is `humano`. */
  setor: z.string().max(80).optional(),
})
export type OpcaoMenu = z.infer<typeof opcaoMenuSchema>

export const setorSchema = z.object({
  id: z.string().min(1).max(80),
  nome: z.string().trim().min(1, 'Nome do setor é obrigatório').max(60),
  cor: z.enum(CORES_SETOR),
  ativo: z.boolean(),
  criadoEm: z.string(),
})
export type Setor = z.infer<typeof setorSchema>

const horaInicio = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use o formato HH:MM')
const horaFim = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Use o formato HH:MM')

/** `[inicio, fim)`; a `fim` not after `inicio` crosses midnight. */
export const intervaloSchema = z.object({ inicio: horaInicio, fim: horaFim })
export type Intervalo = z.infer<typeof intervaloSchema>

const intervalos = z.array(intervaloSchema).max(10)

export const DIAS = ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sab'] as const
export type Dia = (typeof DIAS)[number]

function fusoExiste(fuso: string): boolean {
  try {
    return new Intl.DateTimeFormat('pt-BR', { timeZone: fuso }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const horarioSchema = z.object({
  /** IANA zone, such as `America/Sao_Paulo`. */
  fuso: z.string().max(60).refine(fusoExiste, 'Fuso horário desconhecido'),
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
    .array(
      z.object({
        data: z.iso.date('Data inválida'),
        nome: z.string().max(80),
        intervalos,
      }),
    )
    .max(400),
})
export type Horario = z.infer<typeof horarioSchema>

export const comportamentosSchema = z.object({
  sempreResponder: z.boolean(),
  lembrarContexto: z.boolean(),
  usarEmojis: z.boolean(),
  serFormal: z.boolean(),
})

export const iaSchema = z.object({
  ativa: z.boolean(),
  /** Masked (`••••••••1234`) whenever it leaves the server. */
  apiKey: z.string().max(512),
  promptTreinamento: z.string().max(TEXTO_MAXIMO),
  modeloGemini: z.string().min(1).max(120),
  temperaturaResposta: z.number().min(0).max(1),
  comportamentos: comportamentosSchema,
  gatilhos: z.array(z.string().trim().min(1).max(100)).max(200),
  respostasPredefinidas: z.object({
    cumprimento: texto,
    despedida: texto,
    naoEntendi: texto,
    transferirHumano: texto,
  }),
  /** Seconds of silence before the AI answers a run of fragments. */
  esperaSegundos: z.number().int().min(0).max(30),
})
export type IaConfig = z.infer<typeof iaSchema>

export const mensagensMenuSchema = z.object({
  boasVindas: texto,
  opcaoInvalida: texto,
  semEntender: texto,
  aguardandoAtendente: texto,
  foraPeriodo: texto,
  despedida: texto,
})

export const menuSchema = z.object({
  menuPrincipal: texto.refine((valor) => valor.trim() !== '', 'O menu principal não pode estar vazio'),
  opcoes: z
    .array(opcaoMenuSchema)
    .min(1, 'Deve haver pelo menos uma opção no menu')
    .max(200)
    .superRefine((opcoes, contexto) => {
      const vistos = new Set<string>()
      opcoes.forEach((opcao, indice) => {
        if (vistos.has(opcao.numero)) {
          contexto.addIssue({ code: 'custom', path: [indice, 'numero'], message: 'O número da opção deve ser único' })
        }
        vistos.add(opcao.numero)
      })
    }),
  mensagens: mensagensMenuSchema,
  /** Minutes of silence after which a conversation starts again with the greeting. */
  expiraEmMinutos: z.number().int().min(1).max(1440),
  /** Misses in a row before a person is offered. */
  tentativas: z.number().int().min(1).max(20),
  /** Typing indicator before replies. */
  digitando: z.boolean(),
})
export type MenuConfig = z.infer<typeof menuSchema>

export const whatsappSchema = z.object({
  conector: z.enum(CONECTORES),
  clientId: z
    .string()
    .trim()
    .regex(/^[\w-]{0,60}$/, 'O Client ID aceita letras, números, _ e -, até 60 caracteres'),
  chromePath: z.string().max(500),
})

export const geminiSchema = z.object({ apiKey: z.string().max(512) })

export const atendimentoConfigSchema = z.object({
  setores: z.array(setorSchema).max(100),
  horario: horarioSchema,
  avaliacao: z.object({ ativa: z.boolean() }),
})

export const configSchema = z.object({
  whatsapp: whatsappSchema,
  gemini: geminiSchema,
  ia: iaSchema,
  menu: menuSchema,
  atendimento: atendimentoConfigSchema,
})
/** The configuration as stored and as the engine reads it. */
export type Config = z.infer<typeof configSchema>

/** The configuration on the wire: `versao` is the number of the saved version it was read from. */
export const configVersionadaSchema = configSchema.extend({ versao: z.number().int().min(1) })
export type ConfigVersionada = z.infer<typeof configVersionadaSchema>
