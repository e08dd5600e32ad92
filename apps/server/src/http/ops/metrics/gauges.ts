import { Gauge, type Registry } from 'prom-client'
import type { SessionCount } from '#ports/bots.ts'

export interface GaugeReading {
  /** Value by name. A gauge without a value has no series until the next reading. */
  readonly values: Readonly<Record<string, number | null>>
  readonly sessions: readonly SessionCount[]
}

const HELP: Readonly<Record<string, string>> = {
  balcao_pronto: '1 while /api/ready answers 200',
  balcao_mensagens_enviadas: 'Messages sent by all accounts since their creation',
  balcao_mensagens_recebidas: 'Messages received by all accounts since their creation',
  balcao_fila_de_saida: 'Messages in the outbox',
  balcao_fila_de_saida_atraso_seconds: 'Time since the oldest message of the outbox is due',
  balcao_fila_de_saida_conectados_atraso_seconds: 'The same, of bots that are connected',
  balcao_emails_na_fila: 'Mails not sent',
  balcao_emails_falhados: 'Mails of the last 3 days that are not sent and whose last attempt failed',
  balcao_ia_perguntas: 'Questions to the AI provider of all accounts',
  balcao_ia_falhas: 'Failed questions to the AI provider of all accounts',
  balcao_ia_tokens: 'Tokens of the AI provider of all accounts',
  balcao_ia_perguntas_esperando: 'Questions that wait for the AI provider',
  balcao_copia_idade_seconds: 'Age of the last backup',
  balcao_disco_livre_bytes: 'Free space of the disk of DATA_DIR',
  balcao_disco_total_bytes: 'Size of the disk of DATA_DIR',
  balcao_banco_conexoes_em_uso: 'Database connections in use',
  balcao_banco_conexoes_maximo: 'Most database connections for requests and messages',
  balcao_banco_esperando: 'Transactions that wait for a database connection',
  balcao_relogio_desvio_segundos: 'Clock of the system minus the clock of the database',
  balcao_bots_livres: 'Bots that should run and that no node has',
  balcao_avisos_uso: 'Used share of the notification queue of PostgreSQL',
  balcao_tarefas_atraso_seconds: 'Longest delay of a task that one node does for all',
  balcao_no_renovado_idade_seconds: 'Time since the row of this node was renewed',
  balcao_bots_maximo: 'Most bots of a node of which all are back 30 s after its death',
  balcao_arquivos_compartilhados: '1 if no other node needs files of this one, or all use the same storage',
  balcao_sockets: 'Connected browser windows',
  balcao_sockets_nao_lidos: 'Packets that browsers have not read',
  balcao_event_loop_lag_seconds: 'Mean delay of the event loop since the last scrape',
  balcao_event_loop_lag_p99_seconds: '99th percentile of that delay',
  balcao_event_loop_lag_max_seconds: 'Longest of those delays',
  process_resident_memory_bytes: 'Memory of this process',
  process_uptime_seconds: 'Time since the start of this process',
  process_start_time_seconds: 'Start of this process, Unix time',
}

/** The gauges of this process. `set` replaces the values of all of them. */
export function createGauges(registers: Registry[]): { readonly set: (reading: GaugeReading) => void } {
  const gauges = Object.entries(HELP).map(([name, help]) => ({ name, gauge: new Gauge({ name, help, registers }) }))
  const bots = new Gauge({
    ...{ name: 'balcao_bots', help: 'Bots of this node', labelNames: ['conector', 'estado'] as const, registers },
  })
  return {
    set: ({ values, sessions }) => {
      for (const { name, gauge } of gauges) {
        const value = values[name] ?? null
        if (value === null) gauge.remove()
        else gauge.set(value)
      }
      bots.reset()
      for (const { conector, estado, quantos } of sessions) bots.set({ conector, estado }, quantos)
    },
  }
}
