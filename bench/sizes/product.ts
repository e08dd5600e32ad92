import { connectDirect } from '@balcao/server/bench'
import type { ApiClient } from '@balcao/e2e/api.ts'
import { loginToApi, until } from '@balcao/e2e/ready-conta.ts'
import { meterCpu, pause, percentile, processCpuS } from '../messages/meters.ts'
import { ADMIN, type BenchServer, createFleet } from '../nodes/processes.ts'
import { atMost, figure, type Line, shown } from '../report.ts'
import type { Started } from '../start.ts'
import { BOTS } from './fill.ts'

const START_MAX_MS = 10_000
const SCRAPE_MAX_MS = 50
const SCRAPES = 20
/** Above the second for which the product keeps its readings. */
const SCRAPE_PAUSE_MS = 1_200
const PAGE_MAX_MS = 500
const PAGE_READS = 20
const SETTLE_MS = 20_000
const IDLE_S = 30
const POSTGRES_MAX_PERCENT = 5

const PAGES: Readonly<Record<string, string>> = {
  'Resumo, numbers': '/admin/stats',
  'Resumo, activity': '/admin/atividade',
  'Usuários, newest': '/admin/usuarios',
  'Usuários, ordered by use, page 100': '/admin/usuarios?ordem=uso&direcao=desc&pagina=100',
  'Usuários, search': '/admin/usuarios?busca=padaria%20777',
  Auditoria: '/admin/auditoria',
  'E-mails': '/admin/emails',
  Sistema: '/admin/sistema',
}

/** Starts the program on the empty database, which records the key of the secret, and stops it. */
export async function prepare({ server }: BenchServer): Promise<void> {
  const fleet = createFleet(server)
  const { child } = await fleet.add()
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  await fleet.close()
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function measureScrapes({ url }: Started): Promise<Line[]> {
  const times: number[] = []
  for (let scrape = 0; scrape < SCRAPES; scrape += 1) {
    times.push(
      await timeOf(async () => {
        const text = await (await fetch(`${url}/metrics`)).text()
        if (!text.includes('balcao_mensagens_enviadas{')) throw new Error('scrape without the gauges of the database')
      }),
    )
    await pause(SCRAPE_PAUSE_MS)
  }
  return [
    shown('/metrics, median', figure(percentile(times, 50), 'ms')),
    atMost('/metrics, slowest, with the sums over all accounts', Math.max(...times), SCRAPE_MAX_MS, 'ms'),
  ]
}

async function measurePages(api: ApiClient): Promise<Line[]> {
  const lines: Line[] = []
  for (const [name, path] of Object.entries(PAGES)) {
    const times: number[] = []
    while (times.length < PAGE_READS) times.push(await timeOf(() => api.get(path)))
    lines.push(atMost(`${name}: slowest of ${PAGE_READS}`, Math.max(...times), PAGE_MAX_MS, 'ms'))
  }
  return lines
}

async function measureIdle({ child }: Started, dataDir: string): Promise<Line[]> {
  await pause(SETTLE_MS)
  const [cpu, before] = [meterCpu(dataDir), processCpuS(child.pid)]
  await pause(IDLE_S * 1_000)
  const percent = (seconds: number): number => (seconds / IDLE_S) * 100
  return [
    shown(
      `idle with ${figure(BOTS)} bots: CPU of the process, of one core`,
      figure(percent(processCpuS(child.pid) - before), '%'),
    ),
    atMost(
      `idle with ${figure(BOTS)} bots: CPU of PostgreSQL, of one core`,
      percent(cpu().postgresS),
      POSTGRES_MAX_PERCENT,
      '%',
    ),
  ]
}

const READY_SQL = `select
  (select count(*)::int from bots b join nos n on n.id = b.no where b.status = 'CONECTADO' and n.morto_em is null) as bots,
  (select ate >= current_date - 2 from totais) as somados`

/** Measures a start, and then the program with all bots of its share connected. */
export async function measureProduct({ server, dataDir }: BenchServer): Promise<Line[]> {
  const fleet = createFleet(server, { INICIOS_POR_S: '100' })
  const client = await connectDirect(server.target)
  try {
    const node = await fleet.add()
    const started = performance.now()
    await until(async () => {
      const { rows } = await client.query<{ bots: number; somados: boolean }>(READY_SQL)
      return rows[0]?.bots === BOTS && rows[0].somados
    })
    const connected = performance.now() - started
    const { api } = await loginToApi(node.url, ADMIN.email, ADMIN.senha)
    const pages = await measurePages(api)
    return [
      atMost('start to /api/health', node.ms, START_MAX_MS, 'ms'),
      shown(`its ${figure(BOTS)} bots connected, at 100 a second`, figure(connected / 1_000, 's')),
      ...(await measureScrapes(node)),
      ...pages,
      ...(await measureIdle(node, dataDir)),
    ]
  } finally {
    await client.end()
    await fleet.close()
  }
}

/** A start that must search the keys of all sealed values, as the first one after an upgrade from an old version. */
export async function measureSearchingStart({ server }: BenchServer): Promise<Line> {
  const fleet = createFleet(server)
  const client = await connectDirect(server.target)
  try {
    await client.query('update bots set desejado = false')
    await client.query('delete from chaves_em_uso')
    const { ms } = await fleet.add()
    return shown('first start after an upgrade, which searches all sealed values', figure(ms, 'ms'))
  } finally {
    await client.end()
    await fleet.close()
  }
}
