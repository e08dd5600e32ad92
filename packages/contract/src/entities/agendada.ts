import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

export const estadoAgendadaSchema = z.enum(['marcada', 'enviada', 'cancelada', 'falhou'])
export type EstadoAgendada = z.infer<typeof estadoAgendadaSchema>

/**
 * Why a scheduled message was not sent. Cancelled: by a person (`pessoa`), because the customer answered
 * (`clienteRespondeu`) or asked to stop messages (`pediuParada`). Failed: all others.
 */
export const motivoAgendadaSchema = z.enum([
  'pessoa',
  'clienteRespondeu',
  'pediuParada',
  'janelaFechada',
  'limiteDiario',
  'conversaAntiga',
  'conversaAberta',
  'autorInativo',
  /** The author may not read the conversa any more. */
  'autorSemAcesso',
  /** The send was refused for another reason, or failed five times. */
  'naoEnviada',
  /** The system returned from a backup, and the message may have left before. */
  'copiaRestaurada',
])
export type MotivoAgendada = z.infer<typeof motivoAgendadaSchema>

export const agendadaSchema = z.object({
  id: z.string(),
  conversaId: z.string(),
  mensagem: z.string(),
  enviarEm: instantSchema,
  autor: z.string(),
  cancelarSeResponder: z.boolean(),
  estado: estadoAgendadaSchema,
  /** Absent while it waits and after it was sent. */
  motivo: z.optional(motivoAgendadaSchema),
})
export type Agendada = z.infer<typeof agendadaSchema>
