import * as z from 'zod/mini'

export const commandSchema = z.object({ faz: z.enum(['parear', 'fechar', 'reabrir', 'medir', 'medirAssim']) })
export type MeasuredCommand = z.infer<typeof commandSchema>

export const reportSchema = z.discriminatedUnion('tipo', [
  z.object({ tipo: z.literal('pronto') }),
  z.object({ tipo: z.literal('codigo'), n: z.int(), qrCode: z.string() }),
  z.object({ tipo: z.literal('aberta'), n: z.int() }),
  z.object({ tipo: z.literal('fechadas') }),
  z.object({ tipo: z.literal('medida'), rss: z.number(), heap: z.number(), cpuMs: z.number() }),
])
export type MeasuredReport = z.infer<typeof reportSchema>
export type Measurement = Extract<MeasuredReport, { tipo: 'medida' }>
