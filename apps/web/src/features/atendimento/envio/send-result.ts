import { AVISO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/mensagem-summary'
import { applyMensagem } from '@balcao/contract/sync/mensagens'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { recordDuringFetch, applyToPages, mensagensKey, type MensagemPages } from '#shared/data/mensagem-pages.ts'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { updateCachedConversa } from '#features/atendimento/lista/use-conversas.ts'
import { clearRead } from '#features/atendimento/lista/unread.ts'

/** The daily limit is used up: sending is blocked until `resetEm`. */
export interface ReachedLimite {
  readonly usado: number
  readonly limite: number
  readonly resetEm: string
}

export const LIMITE_KEY = ['atendimento', 'limite'] as const

function limiteOf(erro: unknown): ReachedLimite | null {
  if (!(erro instanceof ApiError) || erro.status !== 429) return null
  const { usado, limite, resetEm } = erro.dados
  return usado === undefined || limite === undefined || resetEm === undefined ? null : { usado, limite, resetEm }
}

/** True if the socket already delivered a newer state than this response. */
function isAlreadyNewer({ id }: Mensagem, mensagens: readonly Mensagem[]): boolean {
  const equal = mensagens.find((uma) => uma.id === id)
  return equal !== undefined && equal.estado !== 'falhou' && equal.estado !== 'limite'
}

/** Stores the response of a send. Sending to a waiting customer also takes the conversa. */
export function storeSent(
  client: QueryClient,
  conversaId: string,
  mensagem: Mensagem,
  user: { readonly id: string; readonly nome: string },
): void {
  clearRead(conversaId)
  recordDuringFetch(conversaId, mensagem)
  client.setQueryData<MensagemPages>(mensagensKey(conversaId), (parsed) =>
    parsed === undefined || isAlreadyNewer(mensagem, parsed.pages.slice(-2).flat())
      ? parsed
      : applyToPages(parsed, mensagem),
  )
  updateCachedConversa(client, conversaId, (conversa) => {
    const mine: Partial<Conversa> =
      conversa.status === 'aguardando' ? { status: 'em_atendimento', operadorId: user.id, operador: user.nome } : {}
    if (isAlreadyNewer(mensagem, conversa.mensagens)) return { ...conversa, ...mine }
    const { mensagens } = applyMensagem(conversa.mensagens, mensagem)
    if (mensagens.at(-1)?.id !== mensagem.id) return { ...conversa, ...mine, mensagens }
    const ultimaMensagem = { texto: summarizeMensagem(mensagem), timestamp: mensagem.timestamp }
    return { ...conversa, ...mine, mensagens, ultimaMensagem, naoLidas: 0, ultimaAtividade: mensagem.timestamp }
  })
}

/** Shows and returns the reason of a failed send. At the daily limit it also stores the limit. */
export function showSendFailure(client: QueryClient, error: unknown, prefix: string): string {
  const limite = limiteOf(error)
  if (limite !== null) {
    client.setQueryData(LIMITE_KEY, limite)
    const uso = `Usadas ${formatNumber(limite.usado)} de ${formatNumber(limite.limite)}.`
    const text = `Limite diário de mensagens atingido!\n${uso} Volta em ${formatDateTime(limite.resetEm)}.`
    notify.erro(text, { durationMs: AVISO.limiteDiarioMs })
    return text
  }
  if (error instanceof ApiError && error.status === 409)
    void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
  const winner = error instanceof ApiError && error.codigo === 'conversaAssumida' ? error.dados.operador : undefined
  const motivo = winner === undefined ? errorMessage(error) : `esta conversa já foi assumida por ${winner}.`
  notify.erro(`${prefix}: ${motivo}`)
  return motivo
}
