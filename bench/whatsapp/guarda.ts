import { DatabaseSync } from 'node:sqlite'
import type { Anfitriao } from '@balcao/whatsapp/anfitriao'

/** A key store outside the heap of the process, as in the product, where keys are in the database. */
export interface Guarda {
  readonly chavesDe: (sessao: number) => Anfitriao['chaves']
}

export function createGuarda(arquivo: string): Guarda {
  const banco = new DatabaseSync(arquivo)
  // The benchmark measures the session, so the store neither waits for the disk nor caches pages.
  banco.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = 64')
  banco.exec('CREATE TABLE valores (chave TEXT PRIMARY KEY, valor TEXT NOT NULL) WITHOUT ROWID')
  const ler = banco.prepare('SELECT valor FROM valores WHERE chave = ?')
  const varios = banco.prepare('SELECT chave, valor FROM valores WHERE chave > ? AND chave < ? ORDER BY chave')
  const por = banco.prepare('INSERT OR REPLACE INTO valores VALUES (?, ?)')
  const tirar = banco.prepare('DELETE FROM valores WHERE chave = ?')
  const limpar = banco.prepare('DELETE FROM valores WHERE chave > ? AND chave < ?')

  return {
    chavesDe: (sessao) => {
      const chave = (tipo: string, id: string): string => `${sessao}/chave/${tipo}/${id}`
      const chegada = (id: string): string => `${sessao}/chegada/${id}`
      return {
        ler: async (tipo, ids) => {
          const achadas = new Map<string, string>()
          for (const id of ids) {
            const linha = ler.get(chave(tipo, id))
            if (linha !== undefined) achadas.set(id, String(linha['valor']))
          }
          return achadas
        },
        gravar: async (mudancas, chegadas) => {
          banco.exec('BEGIN')
          for (const { tipo, id, valor } of mudancas) {
            if (valor === null) tirar.run(chave(tipo, id))
            else por.run(chave(tipo, id), valor)
          }
          for (const { id, valor } of chegadas) por.run(chegada(id), valor)
          banco.exec('COMMIT')
        },
        apagar: async () => void limpar.run(`${sessao}/chave/`, `${sessao}/chave/~`),
        chegadas: async () =>
          varios
            .all(`${sessao}/chegada/`, `${sessao}/chegada/~`)
            .map(({ chave: nome, valor }) => ({ id: String(nome).slice(chegada('').length), valor: String(valor) })),
        concluir: async (id) => void tirar.run(chegada(id)),
      }
    },
  }
}
