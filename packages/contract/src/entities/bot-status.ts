import * as z from 'zod/mini'
import { versionedConfigSchema } from './config.ts'
import { CONECTORES } from '#constants.ts'
import { instantSchema } from './common.ts'
import { logSchema } from './log.ts'

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

/** Reason of the current status. Its Portuguese sentence is in `TEXTO_DO_MOTIVO`. */
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
  'copiaRestaurada',
  'conectorAusente',
  'numeroEmUso',
  'semPagamentoMeta',
  'maquinaFora',
  'erroInterno',
])
export type MotivoBot = z.infer<typeof motivoBotSchema>

export const conversaAtivaSchema = z.object({
  id: z.string(),
  telefone: z.string(),
  nome: z.string(),
  /** Stage of the engine: `menu`, `ia`, `humano` and so on. */
  etapa: z.optional(z.string()),
  ultimaAtividade: z.optional(instantSchema),
})
export type ConversaAtiva = z.infer<typeof conversaAtivaSchema>

export const botStatusSchema = z.object({
  status: statusBotSchema,
  motivo: z.optional(motivoBotSchema),
  /** True only when `status` is `CONECTADO`. */
  isRunning: z.boolean(),
  inicializado: z.boolean(),
  qrCode: z.nullable(z.string()),
  /** Same value as `qrCode`, kept for clients that read this name. */
  qr: z.nullable(z.string()),
  qrExpiraEm: z.optional(instantSchema),
  conectadoComo: z.optional(z.string()),
  conector: z.optional(z.enum(CONECTORES)),
  /** True while no real customer is served: the running session, or else the saved connector, is simulated. */
  modoTeste: z.boolean(),
  conversasAtivas: z.array(conversaAtivaSchema),
  /** Newest first, at most 100. */
  logs: z.array(logSchema),
  /** Only in the answer to `GET /bot/status`, not in events. */
  configuracao: z.optional(versionedConfigSchema),
})
export type BotStatus = z.infer<typeof botStatusSchema>
