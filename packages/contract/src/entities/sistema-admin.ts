import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

/**
 * Measurements of the installation for the administrator, without names of accounts. Sizes are in bytes, times in
 * seconds.
 */

const nodeSchema = z.object({
  id: z.string(),
  /** Machine and process. */
  nome: z.string(),
  este: z.boolean(),
  versao: z.string(),
  iniciadoEm: instantSchema,
  vistoEm: instantSchema,
  memoriaBytes: z.int(),
  cpuPercentual: z.number(),
  bots: z.int(),
  /** The node stops and gives its bots to the others. */
  saindo: z.boolean(),
  /** Seconds since its last packets arrived at the node that answered. Null: the same node, or none yet. */
  ultimoRecadoS: z.nullable(z.number()),
  /** Its files are in the storage that all nodes use. */
  arquivosCompartilhados: z.boolean(),
})
export type NodeStatus = z.infer<typeof nodeSchema>

export const sistemaAdminSchema = z.object({
  em: instantSchema,
  /** Uptime of the process that answered, in seconds. */
  noArS: z.number(),
  nos: z.array(nodeSchema),
  /** Most bots of a node of which all are back 30 s after its death. Null: there is one node. */
  botsPorNoMaximo: z.nullable(z.int()),
  /** Packets from other nodes to the one that answered, since its start. `lacunas`: times that some may be missing. */
  recados: z.object({ recebidos: z.int(), lacunas: z.int() }),
  versoes: z.object({
    produto: z.string(),
    node: z.string(),
    postgres: z.string(),
    migracao: z.string(),
    conectores: z.array(z.object({ nome: z.string(), versao: z.string() })),
  }),
  bots: z.object({
    porStatus: z.array(z.object({ status: z.string(), quantos: z.int() })),
    /** Bots that should run but that no node holds. */
    semDono: z.int(),
  }),
  contas: z.object({ vivas: z.int(), excluidas: z.int() }),
  banco: z.object({ bytes: z.int(), conexoes: z.int() }),
  arquivos: z.object({ quantos: z.int(), bytes: z.int() }),
  disco: z.object({ livreBytes: z.int(), totalBytes: z.int() }),
  memoria: z.object({ processoBytes: z.int(), usadaBytes: z.int(), totalBytes: z.int() }),
  cpuPercentual: z.number(),
  /** Mean response time of the last minute, in seconds. */
  tempoRespostaS: z.number(),
  /** Messages waiting to be sent. `maisAntigaS` is the age of the oldest in seconds, null when the queue is empty. */
  fila: z.object({ mensagens: z.int(), maisAntigaS: z.nullable(z.number()), perguntasIa: z.int() }),
  emails: z.object({ servidor: z.boolean(), esperando: z.int(), falharam: z.int() }),
  ultimaCopia: z.nullable(
    z.object({ em: instantSchema, linhas: z.int(), tabelas: z.int(), bytes: z.int(), cifrada: z.boolean() }),
  ),
  /** Scheduled copies. Null: the server has no folder for them. */
  copias: z.nullable(
    z.object({
      horas: z.int(),
      manter: z.int(),
      cifrada: z.boolean(),
      emAndamento: z.boolean(),
      /** Null: the last attempt succeeded, or there was none. */
      falhouEm: z.nullable(instantSchema),
      proxima: instantSchema,
    }),
  ),
  /**
   * An imported backup that waits for the administrator's decision. Until then no bot starts and no mail leaves. The
   * numbers count the work of the backup. Null: nothing waits.
   */
  restauracao: z.nullable(
    z.object({
      copiaDe: instantSchema,
      importadaEm: instantSchema,
      mensagens: z.int(),
      emails: z.int(),
      bots: z.int(),
      /** Scheduled messages whose time has come. */
      agendadas: z._default(z.int(), 0),
    }),
  ),
})
export type SistemaAdmin = z.infer<typeof sistemaAdminSchema>

/** Fate of the messages and mails that an imported backup contained. Both values switch the bots on. */
export const restoreDecisionSchema = z.enum(['descartar', 'enviar'])
export type RestoreDecision = z.infer<typeof restoreDecisionSchema>
