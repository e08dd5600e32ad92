import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/mensagem-summary'
import { enviarMensagemRoute, reenviarMensagemRoute } from '@balcao/contract/routes/atendimento'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { enqueueSend } from '#features/atendimento/fila-de-envio.ts'
import { confirmPending, addPending, updatePending, removePending } from '#features/atendimento/pendentes.ts'
import { returnToDraft, writeDraft, readDraft } from './drafts.ts'
import { showSendFailure, type ReachedLimite, storeSent } from './send-result.ts'
import { useReachedLimite } from '#features/atendimento/use-limite.ts'

export interface TextSender {
  readonly limite: ReachedLimite | null
  /** Resolves to false on failure: the text is in the draft again. */
  readonly send: (conversa: Conversa, text: string, citada: Mensagem | null) => Promise<boolean>
  /** Stable function. */
  readonly resend: (conversaId: string, mensagemId: string) => Promise<void>
}

/**
 * Failed sends that the server may still have stored. A retry of the same text reuses the id, so it is not sent
 * twice.
 */
const failedSends = new Map<string, { readonly texto: string; readonly id: string }>()
addEventListener('saiu', () => failedSends.clear())

/** The server did store it: clears the draft and the id, so that the same text later is a new mensagem. */
function clearFailedSend(conversaId: string, idTemporario: string | undefined): void {
  const failure = failedSends.get(conversaId)
  if (failure === undefined || failure.id !== idTemporario) return
  failedSends.delete(conversaId)
  if (readDraft(conversaId).trim() === failure.texto) writeDraft(conversaId, '')
}

/** Client-side id of a mensagem. The server echoes it in the confirmation. */
export function newTemporaryId(): string {
  return `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`
}

export function quotePreview(quoted: Mensagem | null): Pick<Mensagem, 'citada'> {
  if (quoted === null) return {}
  const { texto, edicao = texto, midia, tipo } = quoted
  const summary = summarizeMensagem({ texto: edicao, ...(midia === undefined ? {} : { midia }) })
  return { citada: { texto: summary, nossa: tipo === 'enviada' } }
}

export function useSend(): TextSender {
  const cliente = useQueryClient()
  const { id: meuId, nome } = useUsuario()
  const limite = useReachedLimite()

  useEffect(
    () =>
      onSocketEvent(({ evento, dados }) => {
        if (evento !== 'mensagemConversaHumana') return
        confirmPending(dados.conversaId, dados.mensagem, dados.idTemporario)
        clearFailedSend(dados.conversaId, dados.idTemporario)
      }),
    [],
  )

  async function enviar({ id: conversaId }: Conversa, texto: string, citada: Mensagem | null): Promise<boolean> {
    const previous = failedSends.get(conversaId)
    const idTemporario = previous?.texto === texto ? previous.id : newTemporaryId()
    failedSends.delete(conversaId)
    writeDraft(conversaId, '')
    const timestamp = new Date().toISOString()
    addPending(conversaId, {
      ...{ id: idTemporario, texto, remetente: nome, timestamp, tipo: 'enviada' },
      ...quotePreview(citada),
    })
    let foi = true
    await enqueueSend(conversaId, async () => {
      foi = await mandar(conversaId, idTemporario, texto, citada)
    })
    return foi
  }

  async function mandar(
    conversaId: string,
    idTemporario: string,
    texto: string,
    citada: Mensagem | null,
  ): Promise<boolean> {
    updatePending(conversaId, idTemporario, {})
    try {
      const params = { id: conversaId }
      const { mensagem } = await call(enviarMensagemRoute, {
        params,
        body: { mensagem: texto, idTemporario, ...(citada === null ? {} : { citadaId: citada.id }) },
      })
      storeSent(cliente, conversaId, mensagem, { id: meuId, nome })
      removePending(conversaId, idTemporario)
      return true
    } catch (error) {
      // The socket confirmed it before the response was lost: it was sent.
      if (!removePending(conversaId, idTemporario)) return true
      failedSends.set(conversaId, { texto, id: idTemporario })
      returnToDraft(conversaId, texto)
      showSendFailure(cliente, error, 'Erro ao enviar mensagem')
      return false
    }
  }

  const reenviar = useCallback(
    async (conversaId: string, mensagemId: string): Promise<void> => {
      try {
        const { mensagem } = await call(reenviarMensagemRoute, { params: { id: mensagemId } })
        storeSent(cliente, conversaId, mensagem, { id: meuId, nome })
      } catch (error) {
        showSendFailure(cliente, error, 'Erro ao enviar mensagem')
      }
    },
    [cliente, meuId, nome],
  )

  return { limite, send: enviar, resend: reenviar }
}
