import { AVISO } from '@balcao/contract/constants'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { updateKnown } from '#shared/data/conversas/known-conversas.ts'
import { putMensagem } from '#shared/data/conversas/mensagem-pages.ts'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { isFree } from '#features/atendimento/lista/filters.ts'

export interface ReachedLimite {
  readonly usado: number
  readonly limite: number
  readonly resetEm: string
}

const LIMITE_KEY = ['atendimento', 'limite'] as const

function limiteOf(error: unknown): ReachedLimite | null {
  if (!(error instanceof ApiError) || error.status !== 429) return null
  const { usado, limite, resetEm } = error.dados
  return usado === undefined || limite === undefined || resetEm === undefined ? null : { usado, limite, resetEm }
}

/** Stores the answer of a send. Sending in a free conversa also takes it. */
export function storeSent(client: QueryClient, conversaId: string, mensagem: Mensagem, user: Usuario): void {
  showTaken(client, conversaId, user)
  putMensagem(client, { userId: user.contaId, conversaId, mensagem })
}

export function showTaken(client: QueryClient, conversaId: string, { id, nome }: Usuario): void {
  updateKnown(client, conversaId, (conversa) => {
    if (!isFree(conversa)) return conversa
    const { agenteMeta: _, ...taken } = conversa
    return { ...taken, status: 'em_atendimento', operadorId: id, operador: nome, naoLidas: 0 }
  })
}

export function sendFailureText(error: unknown): string {
  const limite = limiteOf(error)
  if (limite !== null) {
    const usage = `Usadas ${formatNumber(limite.usado)} de ${formatNumber(limite.limite)}.`
    return `Limite diário de mensagens atingido!\n${usage} Volta em ${formatDateTime(limite.resetEm)}.`
  }
  const winner = error instanceof ApiError && error.codigo === 'conversaAssumida' ? error.dados.operador : undefined
  return winner === undefined ? errorMessage(error) : `esta conversa já foi assumida por ${winner}.`
}

export function showSendFailure(client: QueryClient, error: unknown, prefix: string): void {
  const limite = limiteOf(error)
  if (limite !== null) {
    client.setQueryData(LIMITE_KEY, limite)
    notify.erro(sendFailureText(error), { durationMs: AVISO.limiteDiarioMs })
    return
  }
  if (error instanceof ApiError && error.status === 409) {
    void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
  }
  notify.erro(`${prefix}: ${sendFailureText(error)}`)
}

/** The daily limit once reached, until its reset time. Shared by all conversas. */
export function useReachedLimite(): ReachedLimite | null {
  const client = useQueryClient()
  const { data = null } = useQuery<ReachedLimite | null>({
    queryKey: LIMITE_KEY,
    queryFn: () => null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    if (data === null) return
    const remaining = Math.max(0, Date.parse(data.resetEm) - Date.now())
    const timer = setTimeout(() => client.setQueryData(LIMITE_KEY, null), Math.min(remaining, 2_147_483_647))
    return () => clearTimeout(timer)
  }, [client, data])
  return data
}

/** Clears the limit early when newer usage numbers show that the administrator raised or reset it. */
export function useLimiteRaised(): void {
  const client = useQueryClient()
  const [since] = useState(() => Date.now())
  const { data, dataUpdatedAt } = useUsageStats()
  const hasRoom =
    data !== undefined && (data.limiteDiario === null || data.estatisticas.mensagensHoje < data.limiteDiario)
  const raised = hasRoom && dataUpdatedAt > since
  useEffect(() => {
    if (raised) client.setQueryData(LIMITE_KEY, null)
  }, [client, raised])
}
