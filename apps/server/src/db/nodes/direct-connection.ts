import { Client, type ClientConfig } from 'pg'

const ANSWER_MS = 5_000
const END_MS = 2_000

/** Its `end` takes at most 2 s. On a dead network the server never answers, and the socket would stay for 15 minutes. */
export class BoundedClient extends Client {
  #ending = false

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    if (!this.#ending) {
      this.#ending = true
      const timer = setTimeout(() => this.connection.stream.destroy(), END_MS).unref()
      this.once('end', () => clearTimeout(timer))
    }
    return callback === undefined ? super.end() : super.end(callback)
  }
}

export type DirectTarget = { readonly url: string } | ClientConfig

export interface DirectOptions {
  readonly applicationName?: string
  readonly connectMs?: number
}

/**
 * Opens a connection outside the pool: with the login's own role and without the limits of the pool. An error only ends
 * it; the caller listens for `end`.
 */
export async function connectDirect(target: DirectTarget, options: DirectOptions = {}): Promise<BoundedClient> {
  const { applicationName = 'balcao', connectMs = ANSWER_MS } = options
  const client = new BoundedClient({
    ...('url' in target ? { connectionString: target.url } : target),
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    query_timeout: ANSWER_MS,
  })
  // Without a listener the error of a lost connection would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}

export const connectionName = (node: string): string => `balcao ${node}`

/** Ends the database connections of a dead node, and with them its locks. */
export async function endConnections(node: string, connect: (() => Promise<Client>) | undefined): Promise<void> {
  const client = await connect?.()
  if (client === undefined) return
  try {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      connectionName(node),
    ])
  } finally {
    client.end().catch(() => undefined)
  }
}
