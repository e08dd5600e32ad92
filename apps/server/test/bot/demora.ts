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

export function createDelayedDatabase(fragment: string, when: 'antes' | 'depois'): DelayedDatabase {
  let chegou: (() => void) | null = null
  let solta = Promise.withResolvers<void>()
  let acabou = Promise.withResolvers<void>()

  const pegar = (): boolean => {
    if (chegou === null) return false
    chegou()
    chegou = null
    return true
  }

  const rodar = async <T>(abrir: (embrulhar: (tx: Tx) => Tx) => Promise<T>): Promise<T> => {
    let pega = false
    const ver = async (texto: string): Promise<void> => {
      if (!texto.includes(fragment) || pega || chegou === null) return
      pega = when === 'depois' || pegar()
      if (when === 'antes') await solta.promise
    }
    try {
      const resultado = await abrir((tx) => wrapTx(tx, ver))
      if (pega && when === 'depois' && pegar()) await solta.promise
      return resultado
    } finally {
      if (pega) acabou.resolve()
    }
  }

  return {
    db: (db) => ({
      ...db,
      transaction: (contas, fn, plano) => rodar((com) => db.transaction(contas, (tx) => fn(com(tx)), plano)),
      read: (contas, fn, plano) => rodar((com) => db.read(contas, (tx) => fn(com(tx)), plano)),
    }),
    hold: () => {
      solta = Promise.withResolvers<void>()
      acabou = Promise.withResolvers<void>()
      return new Promise((resolve) => (chegou = resolve))
    },
    release: () => {
      solta.resolve()
      return acabou.promise
    },
    loseConnection: () => {
      solta.reject(new Error('connection lost'))
      return acabou.promise
    },
  }
}

function wrapTx(tx: Tx, ver: (texto: string) => Promise<void>): Tx {
  return {
    get kysely() {
      return tx.kysely
    },
    afterCommit: tx.afterCommit,
    query: async (texto, values) => {
      await ver(texto)
      return tx.query(texto, values)
    },
    queryNamed: async (nome, texto, values) => {
      await ver(texto)
      return tx.queryNamed(nome, texto, values)
    },
    rows: async (schema, texto, values) => {
      await ver(texto)
      return tx.rows(schema, texto, values)
    },
  }
}
