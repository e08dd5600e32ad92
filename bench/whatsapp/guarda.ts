import { DatabaseSync } from 'node:sqlite'
import type { SessionHost } from '@balcao/whatsapp/anfitriao'

/** A key store outside the heap of the process, as in the product, where keys are in the database. */
export interface KeyStore {
  readonly keysOf: (sessao: number) => SessionHost['keys']
}

export function createKeyStore(file: string): KeyStore {
  const banco = new DatabaseSync(file)
  // The benchmark measures the session, so the store neither waits for the disk nor caches pages.
  banco.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = 64')
  banco.exec('CREATE TABLE valores (chave TEXT PRIMARY KEY, valor TEXT NOT NULL) WITHOUT ROWID')
  const ler = banco.prepare('SELECT valor FROM valores WHERE chave = ?')
  const varios = banco.prepare('SELECT chave, valor FROM valores WHERE chave > ? AND chave < ? ORDER BY chave')
  const por = banco.prepare('INSERT OR REPLACE INTO valores VALUES (?, ?)')
  const tirar = banco.prepare('DELETE FROM valores WHERE chave = ?')
  const limpar = banco.prepare('DELETE FROM valores WHERE chave > ? AND chave < ?')

  return {
    keysOf: (sessao) => {
      const chave = (tipo: string, id: string): string => `${sessao}/chave/${tipo}/${id}`
      const chegada = (id: string): string => `${sessao}/chegada/${id}`
      return {
        read: async (tipo, ids) => {
          const achadas = new Map<string, string>()
          for (const id of ids) {
            const linha = ler.get(chave(tipo, id))
            if (linha !== undefined) achadas.set(id, String(linha['valor']))
          }
          return achadas
        },
        write: async (mudancas, chegadas) => {
          banco.exec('BEGIN')
          for (const { tipo, id, valor } of mudancas) {
            if (valor === null) tirar.run(chave(tipo, id))
            else por.run(chave(tipo, id), valor)
          }
          for (const { id, valor } of chegadas) por.run(chegada(id), valor)
          banco.exec('COMMIT')
        },
        clear: async () => void limpar.run(`${sessao}/chave/`, `${sessao}/chave/~`),
        listEntries: async () =>
          varios
            .all(`${sessao}/chegada/`, `${sessao}/chegada/~`)
            .map(({ chave: nome, valor }) => ({ id: String(nome).slice(chegada('').length), valor: String(valor) })),
        completeEntry: async (id) => void tirar.run(chegada(id)),
      }
    },
  }
}
