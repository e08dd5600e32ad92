import { Client, type ClientConfig } from 'pg'

const ANSWER_MS = 5_000

export type DirectTarget = { readonly url: string } | ClientConfig

export interface DirectOptions {
  readonly applicationName?: string
  /** Longest wait for the connection. */
  readonly connectMs?: number
}

/**
 * Opens a connection outside the pool: with the login's own role and without the limits of the pool. An error only ends
 * it; the caller listens for `end`.
 */
export async function connectDirect(target: DirectTarget, options: DirectOptions = {}): Promise<Client> {
  const { applicationName = 'balcao', connectMs = ANSWER_MS } = options
  const client = new Client({
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

/** Name of all connections of a node, so that another node can end them. */
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
    // Not awaited: on a dead network it would not return.
    client.end().catch(() => undefined)
  }
}
