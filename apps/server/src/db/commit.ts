import type { PoolClient } from 'pg'

/** Function of PostgreSQL that waits for the synchronous standby. It reports the end of a wait as a warning. */
const STANDBY_WAIT = 'SyncRepWaitForLSN'

/** The wait for the standby was cancelled. The commit is on one server only, and a promotion loses it. */
class NotReplicated extends Error {
  override readonly name = 'NotReplicated'
  /** As a server that ends: it is unknown whether the commit stays. */
  readonly code = '57P01'
}

/**
 * PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error. Throws, because nothing was saved. It
 * answers a commit that the standby lacks with a warning and no error. Throws, because the caller would acknowledge it.
 */
export async function commit(client: PoolClient): Promise<void> {
  let replicated = true
  const onNotice = ({ routine }: { readonly routine?: string | undefined }): void => {
    replicated &&= routine !== STANDBY_WAIT
  }
  client.on('notice', onNotice)
  try {
    const { command } = await client.query('COMMIT')
    if (command !== 'COMMIT') throw new Error('a statement failed inside the transaction and its error was swallowed')
    if (!replicated) throw new NotReplicated('commit is not on the synchronous standby')
  } finally {
    client.off('notice', onNotice)
  }
}
