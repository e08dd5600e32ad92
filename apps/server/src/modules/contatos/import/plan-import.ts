import type { KnownContato, SavedChange } from '#modules/enderecos/index.ts'
import { etiquetaKey } from '../etiquetas/change-etiquetas.ts'
import { ETIQUETAS_POR_CONTATO } from '@balcao/contract/entities/contato'
import { type ImportRow, type RefusedRow, TOO_MANY_ETIQUETAS } from './rows.ts'

export interface ImportChange extends SavedChange {
  readonly added: readonly string[]
}

export interface ImportPlan {
  readonly novos: readonly ImportRow[]
  readonly atualizados: readonly ImportChange[]
  readonly iguais: number
  readonly apagados: ReadonlySet<string>
  readonly recusados: readonly RefusedRow[]
}

interface Known {
  readonly contatos: readonly KnownContato[]
  /** Id → key. */
  readonly etiquetas: ReadonlyMap<string, string>
  readonly erased: ReadonlySet<string>
}

/** Compares the rows with the known contatos. An empty cell changes nothing, and etiquetas are only added. */
export function planImport(rows: readonly ImportRow[], { contatos, etiquetas, erased }: Known): ImportPlan {
  const byPhone = new Map(contatos.map((contato) => [contato.telefone, contato]))
  const novos: ImportRow[] = []
  const recusados: RefusedRow[] = []
  // Two phones of the file may belong to one contato. The first row wins.
  const changed = new Map<string, ImportChange>()
  for (const row of rows) {
    const known = byPhone.get(row.telefone)
    if (known === undefined) novos.push(row)
    else {
      const change = changeOf(row, known, etiquetas)
      if (change !== null && known.etiquetas.length + change.added.length > ETIQUETAS_POR_CONTATO) {
        recusados.push({ linha: row.linha, motivo: TOO_MANY_ETIQUETAS })
      } else if (change !== null && !changed.has(known.id)) changed.set(known.id, change)
    }
  }
  const atualizados = [...changed.values()]
  const iguais = rows.length - novos.length - atualizados.length - recusados.length
  const apagados = new Set(novos.map(({ telefone }) => telefone).filter((telefone) => erased.has(telefone)))
  return { novos, atualizados, iguais, apagados, recusados }
}

function changeOf(row: ImportRow, known: KnownContato, etiquetas: ReadonlyMap<string, string>): ImportChange | null {
  const nome = row.nome === '' || row.nome === known.nome ? null : row.nome
  const observacao = row.observacao === '' || row.observacao === known.observacao ? null : row.observacao
  const held = new Set(known.etiquetas.map((id) => etiquetas.get(id)))
  const added = row.etiquetas.filter((name) => !held.has(etiquetaKey(name)))
  return nome === null && observacao === null && added.length === 0 ? null : { id: known.id, nome, observacao, added }
}
