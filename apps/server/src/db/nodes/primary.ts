import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase, Client } from 'pg'
import { type BoundedClient, connectDirect } from './direct-connection.ts'

const HOST_MS = 2_000
/** A promotion ends within this time after the standby still answered as one. */
const CONFIRM_MS = 1_000
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/
/** No such function, function not supported, no permission to call it. */
const UNAVAILABLE = new Set<unknown>(['42883', '0A000', '42501'])
const TIMELINE_DIGITS = 8

const STATE_SQL = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly"`
const SERVER_SQL = `select case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as wal,
  pg_postmaster_start_time()::text as started`

class NotPrimary extends Error {
  override readonly name = 'NotPrimary'
}

/** A start of a server. `timeline` grows with every promotion of a standby. */
interface Server {
  readonly timeline: number
  readonly started: string
}

/** Managed services may lack the functions. All their servers then look the same. */
const UNKNOWN: Server = { timeline: 0, started: '' }

interface Candidate {
  readonly index: number
  readonly client: BoundedClient
  readonly server: Server
}

/**
 * Finds the writable server among the hosts of DATABASE_URL, because `pg` accepts only one host. Remembers the greatest
 * timeline and refuses a server with a smaller one. A server that restarted may be an old primary from before a
 * promotion, so it is used only after a look at all hosts.
 */
export class Primary {
  readonly #urls: readonly string[]
  readonly #listeners = new Set<() => void>()
  #index = 0
  #server = UNKNOWN
  #doubtful = true
  #looking: Promise<void> | null = null
  /** Connections outside the pools. They end when another server is used. */
  readonly #open = new Set<BoundedClient>()

  /** Hosts are separated by commas, in the address or in the parameter `host`. */
  constructor(databaseUrl: string) {
    this.#urls = urlsOfHosts(databaseUrl)
  }

  url(): string {
    return this.#urls[this.#index] ?? ''
  }

  /** Another server, or the same one after a restart. Connections to the previous one must not be used. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Connects to all hosts and keeps the connection to the writable one with the greatest timeline. Throws the last error. */
  async connect(applicationName: string): Promise<Client> {
    const best = await this.#findBest(applicationName)
    try {
      this.#requireNewest(best.server)
      await this.#requireStill(best.server, applicationName)
    } catch (error) {
      best.client.end().catch(() => undefined)
      throw error
    }
    this.#doubtful = false
    this.#use(best)
    this.#open.add(best.client)
    best.client.once('end', () => this.#open.delete(best.client))
    return best.client
  }

  async #findBest(applicationName: string): Promise<Candidate> {
    const tried = await Promise.allSettled(this.#urls.map((_, index) => this.#connectTo(index, applicationName)))
    const found = tried.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const [best, ...others] = found.toSorted((a, b) => b.server.timeline - a.server.timeline)
    for (const { client } of others) client.end().catch(() => undefined)
    if (best === undefined) throw tried.findLast((one) => one.status === 'rejected')?.reason
    return best
  }

  /** A server that restarted may be an old primary, and a standby may have been promoted while the hosts were asked. */
  async #requireStill({ started, timeline }: Server, applicationName: string): Promise<void> {
    const known = this.#server.started === '' || this.#server.started === started
    if (known || timeline > this.#server.timeline || this.#urls.length === 1) return
    await sleep(CONFIRM_MS)
    const { client, server } = await this.#findBest(applicationName)
    client.end().catch(() => undefined)
    if (server.started !== started)
      throw new NotPrimary('O servidor principal de DATABASE_URL mudou durante a conexão.')
  }

  /** Call when a connection failed. The next new connection is preceded by a look at all hosts. */
  doubt(): void {
    this.#doubtful = true
  }

  async check(client: Pick<ClientBase, 'query'>): Promise<void> {
    const server = await readServer(client)
    this.#requireNewest(server)
    if (this.#urls.length === 1) return this.#use({ index: 0, server })
    if (this.#doubtful || server.started !== this.#server.started) await this.#look()
    if (server.started !== this.#server.started)
      throw new NotPrimary('O servidor principal de DATABASE_URL mudou durante a conexão.')
  }

  #look(): Promise<void> {
    this.#looking ??= this.connect('balcao')
      .then((client) => void client.end().catch(() => undefined))
      .finally(() => (this.#looking = null))
    return this.#looking
  }

  async #connectTo(index: number, applicationName: string): Promise<Candidate> {
    const client = await connectDirect({ url: this.#urls[index] ?? '' }, { applicationName, connectMs: HOST_MS })
    try {
      return { index, client, server: await readServer(client) }
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
  }

  #requireNewest({ timeline }: Server): void {
    if (timeline >= this.#server.timeline) return
    throw new NotPrimary('O servidor de DATABASE_URL é um primário antigo, anterior à última promoção.')
  }

  #use({ index, server }: Pick<Candidate, 'index' | 'server'>): void {
    const changed = index !== this.#index || server.started !== this.#server.started
    this.#index = index
    this.#server = server
    if (!changed) return
    for (const client of this.#open) client.connection.stream.destroy()
    for (const listener of this.#listeners) listener()
  }
}

async function readServer(client: Pick<ClientBase, 'query'>): Promise<Server> {
  const { rows: states } = await client.query<{ standby: boolean; readOnly: boolean }>(STATE_SQL)
  if (states[0]?.standby === true || states[0]?.readOnly === true)
    throw new NotPrimary('O servidor de DATABASE_URL não aceita escrita. Espere a promoção ou confira os endereços.')
  try {
    const { rows } = await client.query<{ wal: string | null; started: string }>(SERVER_SQL)
    const [{ wal, started } = { wal: null, started: '' }] = rows
    return { timeline: Number.parseInt(wal?.slice(0, TIMELINE_DIGITS) ?? '0', 16), started }
  } catch (error) {
    if (error instanceof Error && 'code' in error && UNAVAILABLE.has(error.code)) return UNKNOWN
    throw error
  }
}

/** Splits an address with several hosts into an address for each host, because `pg` reads only those. */
function urlsOfHosts(databaseUrl: string): string[] {
  const [, start = '', hosts = '', path = '', query = ''] = ADDRESS.exec(databaseUrl) ?? []
  const parameters = new URLSearchParams(query)
  parameters.delete('target_session_attrs')
  const named = parameters.get('host')
  const list = (named ?? hosts).split(',')
  if (list.length === 1) return [databaseUrl]
  const ports = parameters.get('port')?.split(',') ?? []
  return list.map((entry, index) => {
    const [host, port] = named === null ? splitPort(entry) : [entry, ports[index] ?? ports[0] ?? '']
    const own = new URLSearchParams(parameters)
    own.set('host', host)
    if (port === '') own.delete('port')
    else own.set('port', port)
    return `${start}${path}?${own.toString()}`
  })
}

function splitPort(entry: string): [string, string] {
  const [, host = entry, port = ''] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  return [host.replace(/^\[(.*)\]$/, '$1'), port]
}
