import * as z from 'zod/mini'
import { configVersionadaSchema } from './config.ts'
import { CONECTORES } from '#constants.ts'
import { instanteSchema } from './comum.ts'
import { logSchema } from './log.ts'

/** The bot's session as the panel sees it (spec §3 "Bot status", §4). */

export const statusBotSchema = z.enum([
  'PARADO',
  'INICIALIZANDO',
  'AGUARDANDO_QR',
  'CONECTADO',
  'ERRO',
  'autenticado',
  'erro_auth',
])
export type StatusBot = z.infer<typeof statusBotSchema>

/** Why a session is where it is (decisions §4); its sentence is `TEXTO_DO_MOTIVO` in errors.ts. */
export const motivoBotSchema = z.enum([
  'qrExpirado',
  'desconectadoNoCelular',
  'substituido',
  'banido',
  'banidoPorUmTempo',
  'chaveDeAcesso',
  'clienteDesatualizado',
  'credenciaisInvalidas',
  'navegadorNaoEncontrado',
  'navegadorNaoPermitido',
  'navegadorInutilizavel',
  'navegadorSemProtecao',
  'navegadorSemMemoria',
  'navegadorCaiu',
  'semRede',
  'servicoInstavel',
  'manutencao',
  'erroInterno',
])
export type MotivoBot = z.infer<typeof motivoBotSchema>

export const conversaAtivaSchema = z.object({
  /** The contact's id. */
  id: z.string(),
  telefone: z.string(),
  nome: z.string(),
  /** The engine's stage (`menu`, `ia`, `humano`…). */
  etapa: z.optional(z.string()),
  ultimaAtividade: z.optional(instanteSchema),
})
export type ConversaAtiva = z.infer<typeof conversaAtivaSchema>

export const botStatusSchema = z.object({
  status: statusBotSchema,
  motivo: z.optional(motivoBotSchema),
  /** True only when `CONECTADO` (spec §4): `isRunningDe(status)`. */
  isRunning: z.boolean(),
  /** A session exists, connected or on its way: `inicializadoDe(status)`. */
  inicializado: z.boolean(),
  /** Raw text of the code to scan, null while there is none. */
  qrCode: z.nullable(z.string()),
  /** The same code under its second name (spec §3). */
  qr: z.nullable(z.string()),
  qrExpiraEm: z.optional(instanteSchema),
  /** Name or number of the phone that scanned the code. */
  conectadoComo: z.optional(z.string()),
  /** The service behind it. */
  conector: z.optional(z.enum(CONECTORES)),
  conversasAtivas: z.array(conversaAtivaSchema),
  /** Newest first, at most `LOGS_MANTIDOS`. */
  logs: z.array(logSchema),
  /** With whoever asks for the status; events do not carry it. */
  configuracao: z.optional(configVersionadaSchema),
})
export type BotStatus = z.infer<typeof botStatusSchema>
