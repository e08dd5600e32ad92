import { statfs } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import { rawSql } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import { BOT_FREE_SQL, botsPerNode } from '#db/nodes/held-bots.ts'
import type { Deps } from '#deps.ts'
import { isReady } from '#http/ops/ready.ts'
import type { GaugeReading } from './gauges.ts'

type GaugeDeps = Pick<
  Deps,
  'db' | 'clock' | 'log' | 'metrics' | 'readiness' | 'realtime' | 'bots' | 'settings' | 'fleet' | 'files'
>
type Values = GaugeReading['values']

/** Prometheus gives up a scrape after 10 s. A slow database must not hide the values of the process. */
const READ_MS = 2_000
const LIVE_MS = 1_000

const LIVE = {
  balcao_fila_de_saida: 'select count(*) from saida',
  balcao_fila_de_saida_atraso_seconds:
    'select coalesce(greatest(extract(epoch from now() - min(proxima_em)), 0), 0) from saida',
  balcao_fila_de_saida_conectados_atraso_seconds: `select coalesce(greatest(extract(epoch from now() - min(s.proxima_em)), 0), 0)
     from saida s join linhas_bots b on b.linha_id = case when s.linha_id is null then s.conta_id else s.linha_id end where b.status = 'CONECTADO'`,
  balcao_emails_na_fila: 'select count(*) from emails where enviado_em is null',
  balcao_emails_falhados: `select count(*) from emails
    where enviado_em is null and erro is not null and criado_em > now() - interval '3 days'`,
  balcao_ia_perguntas_esperando: 'select count(*) from perguntas_ia',
  balcao_bots_livres: `select count(*) from linhas_bots b where ${BOT_FREE_SQL}`,
  balcao_avisos_uso: 'select pg_notification_queue_usage()',
  balcao_tarefas_atraso_seconds:
    'select coalesce(greatest(max(extract(epoch from clock_timestamp() - comecou_em) - periodo_s), 0), 0) from tarefas',
  balcao_copia_idade_seconds: 'select extract(epoch from now() - max(em)) from copias_seguranca',
}

const listLive = manyRows(
  'metrics: list live values',
  z.object({ nome: z.string(), valor: z.nullable(z.number()) }),
  rawSql(
    Object.entries(LIVE)
      .map(([name, query]) => `select '${name}' as nome, (${query})::float8 as valor`)
      .join(' union all '),
  ),
)

/** Returns a reader of all gauges, those of the database on one node only. Values that do not arrive within 2 s are left out of that reading. */
export function createGaugeReader(deps: GaugeDeps): () => Promise<GaugeReading> {
  const live = onceEvery(LIVE_MS, () => readLive(deps))
  const disk = onceEvery(LIVE_MS, () => readDisk(deps.settings.dataDir))
  return async () => {
    const totals = deps.metrics.databaseTotals()
    const ofDatabase = totals === null ? [] : [totals, inTime(deps, live())]
    const read = await Promise.all([...ofDatabase, inTime(deps, disk()), inTime(deps, readReadiness(deps))])
    return {
      values: Object.assign({ balcao_pronto: 0 }, ...read, readProcessState(deps)),
      sessions: deps.bots.sessions(),
    }
  }
}

async function inTime({ log }: Pick<GaugeDeps, 'log'>, reading: Promise<Values>): Promise<Values> {
  try {
    return await Promise.race([reading, setTimeout(READ_MS, {}, { ref: false })])
  } catch (error) {
    log.warn({ err: error }, 'metrics not read, left out')
    return {}
  }
}

async function readLive({ db }: Pick<GaugeDeps, 'db'>): Promise<Values> {
  const rows = await db.transaction('*', (tx) => listLive(tx, {}))
  return Object.fromEntries(rows.map(({ nome, valor }) => [nome, valor]))
}

async function readDisk(folder: string): Promise<Values> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { balcao_disco_livre_bytes: bavail * bsize, balcao_disco_total_bytes: blocks * bsize }
}

async function readReadiness({ readiness }: Pick<GaugeDeps, 'readiness'>): Promise<Values> {
  return { balcao_pronto: isReady(await readiness.read()) ? 1 : 0 }
}

function readProcessState({ db, clock, realtime, fleet, files }: GaugeDeps): Values {
  const { used, max, waiting } = db.connections()
  const others = fleet.others().length
  return {
    balcao_banco_conexoes_em_uso: used,
    balcao_banco_conexoes_maximo: max,
    balcao_banco_esperando: waiting,
    balcao_relogio_desvio_segundos: clock.systemAheadS?.() ?? null,
    balcao_no_renovado_idade_seconds: Number.isFinite(fleet.leaseAgeS()) ? fleet.leaseAgeS() : null,
    balcao_bots_maximo: botsPerNode(others + 1),
    balcao_arquivos_compartilhados: files.shared || others === 0 ? 1 : 0,
    balcao_sockets: realtime.sockets?.() ?? 0,
    balcao_sockets_nao_lidos: realtime.unread?.() ?? 0,
  }
}

/** Asks at most once per `ms` and never twice at the same time. */
function onceEvery<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | null = null
  let pending = false
  return () => {
    const now = performance.now()
    if (last === null || (!pending && now - last.at > ms)) {
      pending = true
      last = { at: now, answer: ask().finally(() => (pending = false)) }
    }
    return last.answer
  }
}
