import { setTimeout as pause } from 'node:timers/promises'
import { parseRobots, type RobotsRules, robotsAllow } from '@balcao/engine/ia/knowledge/robots'
import type { Deps } from '#deps.ts'
import { SiteRefused } from '#ports/fontes/sites.ts'
import type { RootedPiece } from './root-pieces.ts'
import { ReadingFailed, type ReadingThread } from './reading-thread.ts'

const AGENT = 'balcao'
const REDIRECTS_MAX = 5
const CRAWL_MS = 600_000
const PAGE_READ_MS = 10_000
const DELAY_MAX_S = 2
const WAITING_MAX = 2_000
const URL_MAX = 500
const PIECES_MAX = 10_000
const PAGE_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml', 'text/plain'])
/** Files that are no pages. */
const OTHER_FILES =
  /\.(?:jpe?g|png|gif|webp|svg|ico|css|js|mjs|json|xml|zip|rar|gz|mp[34]|avi|mov|docx?|xlsx?|pptx?|pdf|exe|woff2?)$/i
const TRACKING = /^(?:utm_|fbclid|gclid)/

const FORBIDDEN = 'O site não permite que suas páginas sejam lidas por programas (robots.txt).'
const ENDLESS = 'O site redireciona sem parar.'
const ELSEWHERE = 'O endereço leva a outro site. Use o endereço final.'
const EMPTY = 'O site não tem texto que possa ser lido. Páginas feitas só por scripts não podem ser lidas.'

const TROUBLE = 'O site está com problemas. Tente de novo mais tarde.'

export interface Crawled {
  readonly pieces: readonly RootedPiece[]
  readonly titulo: string
  readonly bytes: number
}

export interface CrawlInput {
  readonly url: string
  readonly paginas: number
  readonly titulo: string
  readonly signal: AbortSignal
}

/** Reads the pages of one host, nearest to the first one first. Throws `ReadingFailed`. */
export async function crawlSite(
  { sites }: Pick<Deps, 'sites'>,
  thread: ReadingThread,
  input: CrawlInput,
): Promise<Crawled> {
  const crawl = new Crawl(sites, thread, input)
  try {
    return await crawl.run()
  } catch (error) {
    throw error instanceof SiteRefused ? new ReadingFailed(error.message) : error
  }
}

class Crawl {
  readonly #sites: Deps['sites']
  readonly #thread: ReadingThread
  readonly #input: CrawlInput
  readonly #waiting: URL[] = []
  readonly #seen = new Set<string>()
  /** Texts that several pages repeat count once. */
  readonly #texts = new Set<string>()
  readonly #pieces: RootedPiece[] = []
  #host: string
  #robots: RobotsRules = { rules: [], delayS: 0 }
  #bytes = 0
  #asked = 0

  constructor(sites: Deps['sites'], thread: ReadingThread, input: CrawlInput) {
    this.#sites = sites
    this.#thread = thread
    this.#input = input
    this.#host = new URL(input.url).host
  }

  async run(): Promise<Crawled> {
    const end = performance.now() + CRAWL_MS
    const start = new URL(this.#input.url)
    this.#robots = await this.#readRobots(start)
    if (!robotsAllow(this.#robots, pathOf(start))) throw new ReadingFailed(FORBIDDEN)
    let titulo = ''
    this.#add(start)
    for (let url = this.#waiting.shift(); url !== undefined; url = this.#waiting.shift()) {
      if (this.#asked >= this.#input.paginas || performance.now() > end || this.#pieces.length >= PIECES_MAX) break
      const isFirst = this.#asked === 0
      if (!isFirst) await pause(Math.min(this.#robots.delayS, DELAY_MAX_S) * 1_000)
      this.#input.signal.throwIfAborted()
      const read = await this.#readPage(url, isFirst)
      if (isFirst) titulo = read
    }
    if (this.#pieces.length === 0) throw new ReadingFailed(EMPTY)
    return { pieces: this.#pieces, titulo, bytes: this.#bytes }
  }

  /** The title of the page. Only the first page decides about the whole site. */
  async #readPage(url: URL, isFirst: boolean): Promise<string> {
    this.#asked += 1
    try {
      const page = await this.#fetchPage(url, isFirst)
      if (page === null) return ''
      const bytes = Buffer.from(page.text, 'utf8')
      this.#bytes += bytes.length
      const { titulo } = this.#input
      const name = page.tipo === 'text/plain' ? 'pagina.txt' : 'pagina.html'
      const read = await this.#thread.read({ bytes, name, titulo, secao: '', obeysNoindex: true }, PAGE_READ_MS)
      for (const piece of read.pieces) this.#keep(piece)
      for (const link of read.links) this.#addLink(link, page.url)
      return read.titulo
    } catch (error) {
      if (isFirst || !(error instanceof SiteRefused)) throw error
      return ''
    }
  }

  #keep(piece: RootedPiece): void {
    if (this.#texts.has(piece.texto)) return
    this.#texts.add(piece.texto)
    this.#pieces.push(piece)
  }

  async #fetchPage(first: URL, isFirst: boolean) {
    let url = first
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      const answer = await this.#sites.ask(url, this.#input.signal)
      if (answer.location === null || answer.status < 300 || answer.status >= 400) {
        const isPage = answer.status === 200 && PAGE_TYPES.has(answer.tipo)
        if (isPage) return { url, tipo: answer.tipo, text: await answer.text() }
        if (isFirst) throw new ReadingFailed(refusalOf(answer.status))
        return null
      }
      const next = URL.parse(answer.location, url.href)
      if (next === null || !this.#follows(next, isFirst)) {
        if (isFirst) throw new ReadingFailed(ELSEWHERE)
        return null
      }
      url = next
    }
    if (isFirst) throw new ReadingFailed(ENDLESS)
    return null
  }

  /** The first page may move the crawl between the names with and without `www`. */
  #follows(next: URL, isFirst: boolean): boolean {
    if (isFirst && bareHost(next.host) === bareHost(this.#host)) this.#host = next.host
    return this.#isOurs(next)
  }

  #isOurs(url: URL): boolean {
    return (
      (url.protocol === 'https:' || url.protocol === 'http:') &&
      url.host === this.#host &&
      robotsAllow(this.#robots, pathOf(url))
    )
  }

  /** Follows redirects within the host. */
  async #readRobots(start: URL): Promise<RobotsRules> {
    let url = new URL('/robots.txt', start)
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      const answer = await this.#sites.ask(url, this.#input.signal)
      // Without an answer the site may forbid everything.
      if (answer.status >= 500) throw new ReadingFailed(TROUBLE)
      if (answer.status === 200) return parseRobots(await answer.text(), AGENT)
      const next = answer.location === null ? null : URL.parse(answer.location, url.href)
      if (next === null || bareHost(next.host) !== bareHost(this.#host)) break
      url = next
    }
    return { rules: [], delayS: 0 }
  }

  #addLink(link: string, base: URL): void {
    const url = URL.parse(link, base.href)
    if (url !== null && this.#isOurs(url) && !OTHER_FILES.test(url.pathname)) this.#add(url)
  }

  #add(url: URL): void {
    url.hash = ''
    for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name)
    const key = url.href.replace(/^https?:/, '').replace(/\/$/, '')
    if (key.length > URL_MAX || this.#seen.has(key) || this.#waiting.length >= WAITING_MAX) return
    this.#seen.add(key)
    this.#waiting.push(url)
  }
}

const bareHost = (host: string): string => host.replace(/^www\./, '')

const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`

function refusalOf(status: number): string {
  if (status === 404 || status === 410) return 'A página não existe. Confira o endereço.'
  if (status === 401 || status === 403) return 'O site não permite a leitura desta página.'
  return status === 200 ? 'O endereço não é de uma página de texto.' : TROUBLE
}
