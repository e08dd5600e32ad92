import type { ClientBase, Client } from 'pg'
import { connectDirect } from './direct-connection.ts'

const HOST_MS = 2_000
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/
/** No such function, function not supported, no permission to call it. */
const UNAVAILABLE = new Set<unknown>(['42883', '0A000', '42501'])
const TIMELINE_DIGITS = 8

const STATE_SQL = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly"`
const TIMELINE_SQL = `select case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as wal`

/** The server is a standby, read-only, or an old primary that came back. */
class NotPrimary extends Error {
  override readonly name = 'NotPrimary'
}

/**
 * Finds the writable server among the hosts of DATABASE_URL, because `pg` accepts only one host. Remembers the greatest
 * timeline, the number that grows with every promotion of a standby, and refuses a server with a smaller one.
 */
export class Primary {
  readonly #urls: readonly string[]
  readonly #listeners = new Set<(url: string) => void>()
  #current = 0
  #timeline = 0

  /** Hosts are separated by commas, in the address or in the parameter `host`. */
  constructor(databaseUrl: string) {
    this.#urls = urlsOfHosts(databaseUrl)
  }

  /** Address of the server that was writable last. */
  url(): string {
    return this.#urls[this.#current] ?? ''
  }

  onChange(listener: (url: string) => void): void {
    this.#listeners.add(listener)
  }

  /** Connects to the writable server. Tries every host once, the last good one first. Throws the last error. */
  async connect(applicationName: string): Promise<Client> {
    let failure: unknown = new Error('DATABASE_URL não tem endereço de servidor.')
    for (let step = 0; step < this.#urls.length; step += 1) {
      const index = (this.#current + step) % this.#urls.length
      try {
        const client = await this.#connectTo(this.#urls[index] ?? '', applicationName)
        this.#choose(index)
        return client
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /** Throws when the server of this connection must not be written to. */
  async check(client: Pick<ClientBase, 'query'>): Promise<void> {
    const { rows } = await client.query<{ standby: boolean; readOnly: boolean }>(STATE_SQL)
    if (rows[0]?.standby === true || rows[0]?.readOnly === true)
      throw new NotPrimary('O servidor de DATABASE_URL não aceita escrita. Espere a promoção ou confira os endereços.')
    const timeline = await readTimeline(client)
    if (timeline < this.#timeline)
      throw new NotPrimary('O servidor de DATABASE_URL é um primário antigo, anterior à última promoção.')
    this.#timeline = timeline
  }

  async #connectTo(url: string, applicationName: string): Promise<Client> {
    const client = await connectDirect({ url }, { applicationName, connectMs: HOST_MS })
    try {
      await this.check(client)
      return client
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
  }

  #choose(index: number): void {
    if (index === this.#current) return
    this.#current = index
    for (const listener of this.#listeners) listener(this.url())
  }
}

/** Managed services may lack the function. Returns 0 then, so that no server is refused. */
async function readTimeline(client: Pick<ClientBase, 'query'>): Promise<number> {
  try {
    const { rows } = await client.query<{ wal: string | null }>(TIMELINE_SQL)
    return Number.parseInt(rows[0]?.wal?.slice(0, TIMELINE_DIGITS) ?? '0', 16)
  } catch (error) {
    if (error instanceof Error && 'code' in error && UNAVAILABLE.has(error.code)) return 0
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
