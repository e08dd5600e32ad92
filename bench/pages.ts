import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'
import { createApiClient } from '@balcao/e2e/api.ts'
import { MENU_ADDRESS, openMenu } from './pedidos/menu.ts'
import { atLeast, atMost, type Line, type Section, shown } from './report.ts'
import { freePort, start, stop } from './start.ts'

const RUNS = 5
const MENU_PRODUTOS = 40
const ADMIN = { email: 'admin@bench.local', senha: 'senha-do-banco-1' }
const DONA = { nome: 'Ana', email: 'ana@bench.local', senha: 'senha-da-ana-1', telefone: '', empresa: 'Padaria' }
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]
const LCP_GOAL_S = 1.8

interface BenchPage {
  readonly name: string
  readonly path: string
  readonly withSession: boolean
  readonly goals: Readonly<Record<Category, number>>
  readonly lcpGoalS?: number
}

const BENCH_PAGES: readonly BenchPage[] = [
  {
    name: 'landing',
    path: '/',
    withSession: false,
    goals: { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 },
  },
  {
    name: 'login',
    path: '/login',
    withSession: false,
    goals: { performance: 98, accessibility: 100, 'best-practices': 100, seo: 90 },
  },
  {
    name: 'menu of a shop',
    path: `/m/${MENU_ADDRESS}`,
    withSession: false,
    goals: { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 },
  },
  {
    name: 'dashboard',
    path: '/dashboard?aba=geral',
    withSession: true,
    // `robots.txt` excludes the panel from search engines, so its SEO score is irrelevant.
    goals: { performance: 90, accessibility: 100, 'best-practices': 95, seo: 0 },
    lcpGoalS: LCP_GOAL_S,
  },
]

const FIRST_VISIT = { name: 'dashboard, empty cache', path: '/dashboard?aba=geral' }

async function ask(url: string, caminho: string, corpo: object, token = ''): Promise<unknown> {
  const reply = await fetch(`${url}/api${caminho}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(corpo),
  })
  return reply.json()
}

function tokenOf(corpo: unknown): { token: string; usuario: unknown } {
  if (typeof corpo !== 'object' || corpo === null || !('token' in corpo) || typeof corpo.token !== 'string') {
    throw new Error(`login without a token: ${JSON.stringify(corpo)}`)
  }
  return { token: corpo.token, usuario: 'usuario' in corpo ? corpo.usuario : null }
}

async function openSession(url: string): Promise<{ token: string; user: string }> {
  const admin = tokenOf(await ask(url, '/auth/login', ADMIN))
  await ask(url, '/admin/usuarios', DONA, admin.token)
  const { token, usuario } = tokenOf(await ask(url, '/auth/login', DONA))
  return { token, user: JSON.stringify(usuario) }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

interface Medians {
  readonly scores: ReadonlyMap<Category, number>
  readonly lcpS: number
}

/** Runs Lighthouse five times on one page. `before` runs before each of them. */
async function visit(address: string, port: number, before?: () => Promise<void>): Promise<Medians> {
  const scores = new Map<Category, number[]>(CATEGORIES.map((note) => [note, []]))
  const lcps: number[] = []
  for (let vez = 0; vez < RUNS; vez += 1) {
    await before?.()
    const result = await lighthouse(address, {
      port,
      output: 'json',
      logLevel: 'error',
      disableStorageReset: true,
      onlyCategories: [...CATEGORIES],
    })
    for (const note of CATEGORIES) scores.get(note)?.push((result?.lhr.categories[note]?.score ?? 0) * 100)
    lcps.push(result?.lhr.audits['largest-contentful-paint']?.numericValue ?? 0)
  }
  const medians = CATEGORIES.map((note) => [note, Math.round(median(scores.get(note) ?? []))] as const)
  return { scores: new Map(medians), lcpS: median(lcps) / 1000 }
}

async function measure(url: string, port: number, { name, path, goals, lcpGoalS }: BenchPage): Promise<Line[]> {
  const { scores, lcpS } = await visit(`${url}${path}`, port)
  const lines = CATEGORIES.map((note) => atLeast(`${name}, ${note}`, scores.get(note) ?? 0, goals[note], ''))
  const lcp = `${name}, largest contentful paint`
  return [...lines, lcpGoalS === undefined ? shown(lcp, `${lcpS.toFixed(2)} s`) : atMost(lcp, lcpS, lcpGoalS, 's')]
}

/** The pages above keep the browser's cache from one run to the next. A first visit loads every file. */
async function measureFirstVisit(url: string, port: number): Promise<Line[]> {
  const { name, path } = FIRST_VISIT
  const { scores, lcpS } = await visit(`${url}${path}`, port, () => clearFiles(port, url))
  return [
    shown(`${name}, performance`, String(scores.get('performance') ?? 0)),
    atMost(`${name}, largest contentful paint`, lcpS, LCP_GOAL_S, 's'),
  ]
}

/**
 * Runs Lighthouse, mobile preset, on the built product; medians of five. Page weights are checked by
 * `apps/web/scripts/budget.mjs`.
 */
export async function measurePages(): Promise<Section[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'balcao-bench-'))
  const produto = await start(dataDir, { ADMIN_EMAIL: ADMIN.email, ADMIN_SENHA: ADMIN.senha })
  const session = await openSession(produto.url)
  await openMenu(createApiClient(produto.url, session.token), MENU_PRODUTOS)
  const port = await freePort()
  const profile = await mkdtemp(join(tmpdir(), 'balcao-chrome-'))
  const chrome = spawn(
    process.env['CHROME_BIN'] ?? '/usr/bin/chromium',
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      `--remote-debugging-port=${port}`,
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: 'ignore' },
  )
  try {
    const lines: Line[] = []
    for (const page of BENCH_PAGES) {
      await prepare(port, produto.url, page.withSession ? session : null)
      lines.push(...(await measure(produto.url, port, page)))
    }
    lines.push(...(await measureFirstVisit(produto.url, port)))
    return [{ title: 'Pages (Lighthouse, mobile)', lines }]
  } finally {
    chrome.kill('SIGKILL')
    await stop(produto)
    await rm(dataDir, { recursive: true, force: true })
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function prepare(port: number, url: string, session: { token: string; user: string } | null): Promise<void> {
  const navegador = await connect(port)
  const page = await navegador.contexts()[0]?.newPage()
  await page?.goto(`${url}/icon.svg`)
  await page?.evaluate((data) => {
    localStorage.clear()
    if (data === null) return
    localStorage.setItem('token', data.token)
    localStorage.setItem('user', data.user)
  }, session)
  await page?.close()
  await navegador.close()
}

/** Clears the HTTP cache and the service worker. The session stays. */
async function clearFiles(port: number, url: string): Promise<void> {
  const navegador = await connect(port)
  const context = navegador.contexts()[0]
  const page = await context?.newPage()
  if (context !== undefined && page !== undefined) {
    const session = await context.newCDPSession(page)
    await session.send('Network.clearBrowserCache')
    await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'service_workers,cache_storage' })
  }
  await page?.close()
  await navegador.close()
}

async function connect(port: number) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    } catch (error) {
      if (attempt >= 50) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
