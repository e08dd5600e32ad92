import type { Database, Tx } from '#db/transaction.ts'

export interface RecordedDatabase {
  readonly db: Database
  /** Names or texts of the statements of each transaction, in order. */
  readonly transactions: string[][]
}

/** A database that records the statements of its transactions. */
export function recordStatements(db: Database): RecordedDatabase {
  const transactions: string[][] = []
  const recorded = <T>(fn: (tx: Tx) => Promise<T>): ((tx: Tx) => Promise<T>) => {
    const names: string[] = []
    transactions.push(names)
    return (tx) => fn(recordTx(tx, names))
  }
  return {
    transactions,
    db: {
      ...db,
      transaction: (contas, fn, options) => db.transaction(contas, recorded(fn), options),
      read: (contas, fn, options) => db.read(contas, recorded(fn), options),
    },
  }
}

function recordTx(tx: Tx, names: string[]): Tx {
  return {
    commitBehind: tx.commitBehind,
    afterCommit: tx.afterCommit,
    send: (statement, values) => {
      names.push(statement.name)
      return tx.send(statement, values)
    },
    query: (text, values) => {
      names.push(text.trim())
      return tx.query(text, values)
    },
  }
}
