import type { Conversa } from '@balcao/contract/entities/conversa'
import { readCopy, storeCopy } from '#shared/storage.ts'

/** Local copy of the conversas, one per account, shown when the server cannot be reached. */

const COPY_CONVERSAS_MAX = 50

export function storeConversasCopy(contaId: string, conversas: readonly Conversa[]): void {
  storeCopy('conversas', contaId, conversas.slice(0, COPY_CONVERSAS_MAX))
}

export function readConversasCopy(contaId: string): readonly Conversa[] | null {
  const copy = readCopy('conversas', contaId)
  return Array.isArray(copy) && copy.every(isConversa) ? copy : null
}

/** Ignores copies of an older version that lack a field. */
function isConversa(value: unknown): value is Conversa {
  if (typeof value !== 'object' || value === null) return false
  return ['id', 'setor', 'status', 'cliente', 'mensagens', 'ultimaAtividade', 'aguardandoDesde'].every(
    (part) => part in value,
  )
}
