import type { Database, Tx } from '#db/transaction.ts'

/** A database that delays one statement containing `trecho`: before it runs or before its result returns. */
export interface DelayedDatabase {
  readonly db: (db: Database) => Database
  readonly hold: () => Promise<void>
  /** Releases the statement. Resolves when its transaction has ended. */
  readonly release: () => Promise<void>
  /** Fails the held statement with a lost connection. Resolves when its transaction has ended. */
  readonly loseConnection: () => Promise<void>
}

/** COMMIT waits for the statements, which are delayed before they are sent. */
const SEVERAL_TRIPS = { oneTrip: false }

export function createDelayedDatabase(fragment: string, when: 'antes' | 'depois'): DelayedDatabase {
  let arrived: (() => void) | null = null
  let loose = Promise.withResolvers<void>()
  let acabou = Promise.withResolvers<void>()

  const pegar = (): boolean => {
    if (arrived === null) return false
    arrived()
    arrived = null
    return true
  }

  const run = async <T>(open: (see: See) => Promise<T>): Promise<T> => {
    let pega = false
    const see = async (text: string): Promise<void> => {
      if (!text.includes(fragment) || pega || arrived === null) return
      pega = when === 'depois' || pegar()
      if (when === 'antes') await loose.promise
    }
    try {
      const result = await open(see)
      if (pega && when === 'depois' && pegar()) await loose.promise
      return result
    } finally {
      if (pega) acabou.resolve()
    }
  }

  return {
    db: (db) => ({
      ...db,
      transaction: (contas, fn, options) =>
        run((see) => db.transaction(contas, (tx) => runDelayed(tx, see, fn), { ...options, ...SEVERAL_TRIPS })),
      read: (contas, fn, options) =>
        run((see) => db.read(contas, (tx) => runDelayed(tx, see, fn), { ...options, ...SEVERAL_TRIPS })),
    }),
    hold: () => {
      loose = Promise.withResolvers<void>()
      acabou = Promise.withResolvers<void>()
      return new Promise((resolve) => (arrived = resolve))
    },
    release: () => {
      loose.resolve()
      return acabou.promise
    },
    loseConnection: () => {
      loose.reject(new Error('connection lost'))
      return acabou.promise
    },
  }
}

export interface LossyDatabase {
  readonly db: (db: Database) => Database
  /** The next transaction with a statement that contains `fragment` commits and then fails. */
  readonly loseNext: () => void
}

/** A database that loses the answer of a commit. */
export function createLossyDatabase(fragment: string): LossyDatabase {
  let armed = false
  return {
    db: (db) => ({
      ...db,
      transaction: async (contas, fn, options) => {
        let isConcerned = false
        const see = (text: string): Promise<void> => {
          isConcerned ||= armed && text.includes(fragment)
          return Promise.resolve()
        }
        const result = await db.transaction(contas, (tx) => runDelayed(tx, see, fn), { ...options, ...SEVERAL_TRIPS })
        if (!isConcerned) return result
        armed = false
        throw new Error('connection lost')
      },
    }),
    loseNext: () => {
      armed = true
    },
  }
}

type See = (text: string) => Promise<void>

/** Runs `fn` with delayed statements. COMMIT waits for those that it would leave behind. */
async function runDelayed<T>(tx: Tx, see: See, fn: (tx: Tx) => Promise<T>): Promise<T> {
  const behind: Promise<unknown>[] = []
  const result = await fn({ ...wrapTx(tx, see), commitBehind: (work) => void behind.push(work) })
  await Promise.all(behind)
  return result
}

function wrapTx(tx: Tx, see: See): Tx {
  return {
    commitBehind: tx.commitBehind,
    afterCommit: tx.afterCommit,
    send: async (statement, values) => {
      await see(statement.text)
      return tx.send(statement, values)
    },
    query: async (text, values) => {
      await see(text)
      return tx.query(text, values)
    },
  }
}
