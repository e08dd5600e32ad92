import { conversasRoute, limparConversasRoute } from '@balcao/contract/routes/registros'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'

interface ClearCounts {
  /** Conversas to delete and to keep. Null with more than 200 conversas. */
  readonly conversas: { readonly vao: number; readonly ficam: number } | null
  /** Waiting scheduled messages to delete. */
  readonly agendadas: number
}

/** Null while unknown. */
function useClearCounts(): ClearCounts | null {
  const { data, error } = useQuery({
    queryKey: QUERY_KEYS.conversasBot,
    queryFn: ({ signal }) => call(conversasRoute, { query: { limite: 200 }, signal }),
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
  })
  useEffect(() => {
    if (error !== null) notify.erro(`Erro ao carregar conversas: ${error.message}`)
  }, [error])
  if (data === undefined) return null
  const { agendadas = 0 } = data
  if (data.proximoCursor !== undefined) return { conversas: null, agendadas }
  const ficam = data.conversas.filter(({ ativa, etapa }) => ativa && etapa === 'humano').length
  return { conversas: { vao: data.conversas.length - ficam, ficam }, agendadas }
}

const conversaCount = (count: number): string => (count === 1 ? '1 conversa' : `${count} conversas`)

const scheduledCount = (count: number): string => (count === 1 ? '1 mensagem agendada' : `${count} mensagens agendadas`)

/** Asks for confirmation: finished and bot-only conversas are deleted with their mensagens and files. */
export function ClearConversas({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const count = useClearCounts()
  const conversas = count?.conversas ?? undefined

  async function clear(): Promise<void> {
    try {
      const { removidas, agendadas = 0 } = await call(limparConversasRoute, {})
      const deleted = `${conversaCount(removidas)}${agendadas === 0 ? '' : ` e ${scheduledCount(agendadas)}`}`
      notify.sucesso(removidas === 0 ? 'Não havia conversas para limpar.' : `Conversas limpas! ${deleted} a menos.`)
      for (const queryKey of [QUERY_KEYS.mensagensBot, QUERY_KEYS.botStatus, QUERY_KEYS.conversas, QUERY_KEYS.sistema])
        void client.invalidateQueries({ queryKey })
    } catch (cause) {
      notify.erro(`Erro ao limpar conversas: ${errorMessage(cause)}`)
    }
  }

  return (
    <ConfirmDialog
      open
      title="Limpar as conversas?"
      confirmLabel="Limpar conversas"
      onConfirm={clear}
      onClose={onClose}
    >
      <p>
        As conversas encerradas e as que estão só com o bot são apagadas, com suas mensagens e arquivos. As que esperam
        ou falam com uma pessoa continuam. Não é possível desfazer.
      </p>
      {conversas !== undefined && (
        <p className="mt-2 font-semibold text-ink">
          Agora: {conversaCount(conversas.vao)} para apagar, {conversas.ficam}{' '}
          {conversas.ficam === 1 ? 'continua' : 'continuam'}.
        </p>
      )}
      {count !== null && count.agendadas > 0 && (
        <p className="mt-2 font-semibold text-ink">
          {scheduledCount(count.agendadas)} dessas conversas também {count.agendadas === 1 ? 'sai' : 'saem'}, sem ir ao
          cliente.
        </p>
      )}
    </ConfirmDialog>
  )
}
