import { DatabaseSync } from 'node:sqlite'
import type { TestHost } from '@balcao/whatsapp/rede-falsa'

/** A key store outside the heap of the process, as in the product, where keys are in the database. */
export interface KeyStore {
  readonly keysOf: (session: number) => TestHost['keys']
}

export function createKeyStore(file: string): KeyStore {
  const database = new DatabaseSync(file)
  // The benchmark measures the session, so the store neither waits for the disk nor caches pages.
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = 64')
  database.exec('CREATE TABLE valores (chave TEXT PRIMARY KEY, valor TEXT NOT NULL) WITHOUT ROWID')
  const ler = database.prepare('SELECT valor FROM valores WHERE chave = ?')
  const varios = database.prepare('SELECT chave, valor FROM valores WHERE chave > ? AND chave < ? ORDER BY chave')
  const por = database.prepare('INSERT OR REPLACE INTO valores VALUES (?, ?)')
  const remove = database.prepare('DELETE FROM valores WHERE chave = ?')
  const limpar = database.prepare('DELETE FROM valores WHERE chave > ? AND chave < ?')

  return {
    keysOf: (session) => {
      const key = (tipo: string, id: string): string => `${session}/chave/${tipo}/${id}`
      const arrival = (id: string): string => `${session}/chegada/${id}`
      return {
        read: async (tipo, ids) => {
          const found = new Map<string, string>()
          for (const id of ids) {
            const line = ler.get(key(tipo, id))
            if (line !== undefined) found.set(id, String(line['valor']))
          }
          return found
        },
        write: async (changes, arrivals) => {
          database.exec('BEGIN')
          for (const { tipo, id, valor } of changes) {
            if (valor === null) remove.run(key(tipo, id))
            else por.run(key(tipo, id), valor)
          }
          for (const { id, valor } of arrivals) por.run(arrival(id), valor)
          database.exec('COMMIT')
        },
        clear: async () => void limpar.run(`${session}/chave/`, `${session}/chave/~`),
        listEntries: async () =>
          varios
            .all(`${session}/chegada/`, `${session}/chegada/~`)
            .map(({ chave: name, valor }) => ({ id: String(name).slice(arrival('').length), valor: String(valor) })),
        completeEntry: async (id) => void remove.run(arrival(id)),
      }
    },
  }
}
