import * as z from 'zod/mini'

export const ordemSchema = z.object({ faz: z.enum(['parear', 'fechar', 'reabrir', 'medir', 'medirAssim']) })
export type Ordem = z.infer<typeof ordemSchema>

export const relatoSchema = z.discriminatedUnion('tipo', [
  z.object({ tipo: z.literal('pronto') }),
  z.object({ tipo: z.literal('codigo'), n: z.int(), qrCode: z.string() }),
  z.object({ tipo: z.literal('aberta'), n: z.int() }),
  z.object({ tipo: z.literal('fechadas') }),
  z.object({ tipo: z.literal('medida'), rss: z.number(), heap: z.number(), cpuMs: z.number() }),
])
export type Relato = z.infer<typeof relatoSchema>
export type Medida = Extract<Relato, { tipo: 'medida' }>
