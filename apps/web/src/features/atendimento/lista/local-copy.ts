import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { readCopy, storeCopy } from '#shared/storage.ts'

/** Local copy of the conversas, one per account, shown when the server cannot be reached. */

const COPY_CONVERSAS_MAX = 50

/** Addresses of files expire within minutes, and files are not copied. */
function withoutAddress(mensagem: Mensagem): object {
  return mensagem.midia === undefined ? mensagem : { ...mensagem, midia: { ...mensagem.midia, url: undefined } }
}

export function storeConversasCopy(contaId: string, conversas: readonly Conversa[]): void {
  const copied = conversas.slice(0, COPY_CONVERSAS_MAX)
  storeCopy(
    'conversas',
    contaId,
    copied.map(({ mensagens, ...conversa }) => ({ ...conversa, mensagens: mensagens.map(withoutAddress) })),
  )
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
