import * as z from 'zod/mini'
import { instanteSchema } from './comum.ts'

/** What the installation measures of itself, for the administrator. Sizes in bytes, times in seconds. No account is named. */

const noSchema = z.object({
  id: z.string(),
  /** Machine and process. */
  nome: z.string(),
  /** The one that answered. */
  este: z.boolean(),
  versao: z.string(),
  iniciadoEm: instanteSchema,
  vistoEm: instanteSchema,
  memoriaBytes: z.int(),
  cpuPercentual: z.number(),
})
export type No = z.infer<typeof noSchema>

export const sistemaAdminSchema = z.object({
  em: instanteSchema,
  /** Of the process that answered. */
  noArS: z.number(),
  nos: z.array(noSchema),
  versoes: z.object({
    produto: z.string(),
    node: z.string(),
    postgres: z.string(),
    /** The newest step of the database's shape. */
    migracao: z.string(),
    /** Libraries that speak with messaging services, those that are installed. */
    conectores: z.array(z.object({ nome: z.string(), versao: z.string() })),
  }),
  bots: z.object({
    porStatus: z.array(z.object({ status: z.string(), quantos: z.int() })),
    /** Wanted running, and held by no node. */
    semDono: z.int(),
  }),
  contas: z.object({ vivas: z.int(), excluidas: z.int() }),
  banco: z.object({ bytes: z.int(), conexoes: z.int() }),
  arquivos: z.object({ quantos: z.int(), bytes: z.int() }),
  disco: z.object({ livreBytes: z.int(), totalBytes: z.int() }),
  memoria: z.object({ processoBytes: z.int(), usadaBytes: z.int(), totalBytes: z.int() }),
  cpuPercentual: z.number(),
  /** Mean answer of the last minute. */
  tempoRespostaS: z.number(),
  /** Messages still to leave; `maisAntigaS` is null when there is none. */
  fila: z.object({ mensagens: z.int(), maisAntigaS: z.nullable(z.number()), perguntasIa: z.int() }),
  emails: z.object({ servidor: z.boolean(), esperando: z.int(), falharam: z.int() }),
  /** Null: the data were never written to a file. */
  ultimaCopia: z.nullable(
    z.object({ em: instanteSchema, linhas: z.int(), tabelas: z.int(), bytes: z.int(), cifrada: z.boolean() }),
  ),
})
export type SistemaAdmin = z.infer<typeof sistemaAdminSchema>
