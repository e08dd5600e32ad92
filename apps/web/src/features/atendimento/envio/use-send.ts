import {
  type Mutation,
  notifyManager,
  type QueryClient,
  skipToken,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { DUPLICATA_TEMPORARIA_MS } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { enviarMensagemRoute, reenviarMensagemRoute } from '@balcao/contract/routes/atendimento-conversa'
import { enviarMidiaRoute } from '@balcao/contract/routes/midias'
import { call } from '#shared/api-client.ts'
import { knownConversas } from '#shared/data/conversas/known-conversas.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { useUsuario } from '#shared/session.tsx'
import { upload } from '#shared/upload.ts'
import { addWaiting } from '#features/atendimento/mensagem/waiting-texts.ts'
import { readDraft, restoreDraft, setQuoted, writeDraft } from './drafts.ts'
import { showSendFailure, storeSent } from './send-result.ts'

/** The mutation cache holds all unconfirmed mensagens: waiting, in flight, and failed ones for a retry. */

export interface Outgoing {
  /** Id of the client. The server echoes it in the confirmation and stores a repeated id once. */
  readonly id: string
  readonly texto: string
  readonly citada: Mensagem | null
  readonly timestamp: string
  readonly file?: File
}

const sendKey = (conversaId: string) => ['atendimento', 'envio', conversaId] as const
const progressKey = (id: string) => ['atendimento', 'progresso', id] as const

/** Texts, files and modelos of one conversa are sent one after the other, in the order written. */
export const sendScope = (conversaId: string) => ({ id: `send:${conversaId}` })

/** Another operador has the conversa, so the server would refuse a send. */
export function isTakenByOther({ status, operadorId }: Conversa, myId: string): boolean {
  return status === 'em_atendimento' && operadorId !== undefined && operadorId !== myId
}

export function midiaTypeOf({ type }: File): Midia['tipo'] {
  if (/^image\/(png|jpeg|webp)$/.test(type)) return 'imagem'
  return type.startsWith('audio/') || type === 'video/webm' ? 'audio' : 'documento'
}

async function postText(conversaId: string, { id, texto, citada }: Outgoing): Promise<Mensagem> {
  const body = { mensagem: texto, idTemporario: id, ...(citada === null ? {} : { citadaId: citada.id }) }
  return (await call(enviarMensagemRoute, { params: { id: conversaId }, body })).mensagem
}

async function postFile(client: QueryClient, conversaId: string, message: Outgoing, file: File): Promise<Mensagem> {
  const { id, texto, citada } = message
  const form = new FormData()
  form.append('idTemporario', id)
  if (texto !== '') form.append('legenda', texto)
  if (citada !== null) form.append('citadaId', citada.id)
  form.append('arquivo', file)
  const onProgress = (part: number): void => void client.setQueryData(progressKey(id), part)
  try {
    return (await upload(enviarMidiaRoute, { params: { id: conversaId }, form, onProgress })).mensagem
  } finally {
    client.removeQueries({ queryKey: progressKey(id) })
  }
}

interface Send {
  readonly mutation: Mutation
  readonly message: Outgoing
}

function isOutgoing(variables: unknown): variables is Outgoing {
  return typeof variables === 'object' && variables !== null && 'id' in variables && 'citada' in variables
}

function findSend(
  client: QueryClient,
  conversaId: string,
  matches: (message: Outgoing, mutation: Mutation) => boolean,
): Send | undefined {
  for (const mutation of client.getMutationCache().findAll({ mutationKey: sendKey(conversaId) })) {
    const message = mutation.state.variables
    if (isOutgoing(message) && matches(message, mutation)) return { mutation, message }
  }
  return undefined
}

function removeSend(client: QueryClient, send: Send | undefined): void {
  if (send !== undefined) client.getMutationCache().remove(send.mutation)
}

function isFailedText({ file }: Outgoing, { state }: Mutation): boolean {
  return state.status === 'error' && file === undefined
}

export interface Sender {
  readonly sendText: (text: string, quoted: Mensagem | null) => void
  readonly sendFiles: (files: readonly File[], caption: string, quoted: Mensagem | null) => void
  readonly retry: (message: Outgoing) => void
  readonly discard: (message: Outgoing) => void
}

/** Sends survive the component: they end in the cache, in the draft or in a notice. */
export function useSend(conversaId: string): Sender {
  const client = useQueryClient()
  const user = useUsuario()
  const sendOf = ({ id }: Outgoing) => findSend(client, conversaId, (message) => message.id === id)
  const { mutate } = useMutation({
    mutationKey: sendKey(conversaId),
    scope: sendScope(conversaId),
    networkMode: 'always',
    // A failed file stays until it is retried or discarded.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: (message: Outgoing) =>
      message.file === undefined ? postText(conversaId, message) : postFile(client, conversaId, message, message.file),
    onSuccess: (mensagem, message) =>
      // In one batch, so that the pending bubble and its mensagem never show together.
      notifyManager.batch(() => {
        storeSent(client, conversaId, mensagem, user)
        removeSend(client, sendOf(message))
      }),
    onError: (error, message) => {
      // Not in the cache: the socket confirmed it before the response was lost, or the user logged out.
      if (sendOf(message) === undefined) return
      if (message.file === undefined) restoreDraft(conversaId, message)
      showSendFailure(client, error, message.file === undefined ? 'Erro ao enviar mensagem' : 'Erro ao enviar arquivo')
    },
  })
  return {
    sendText: (texto, citada) => {
      // The server may have stored the failed text: a retry of the same text keeps its id, so it is not sent twice.
      const failed = findSend(client, conversaId, isFailedText)
      removeSend(client, failed)
      const id = failed?.message.texto === texto ? failed.message.id : newTemporaryId()
      writeDraft(conversaId, '')
      setQuoted(conversaId, null)
      const timestamp = new Date().toISOString()
      if (navigator.onLine) return mutate({ id, texto, citada, timestamp })
      const { operadorId = '', ultimaMensagem } = knownConversas(client).byId.get(conversaId) ?? {}
      const quoted = citada === null ? {} : { citadaId: citada.id }
      addWaiting({ id, conversaId, texto, timestamp, operadorId, vista: ultimaMensagem?.timestamp ?? '', ...quoted })
    },
    sendFiles: (files, caption, quoted) => {
      setQuoted(conversaId, null)
      for (const [index, file] of files.entries()) {
        const first = index === 0 ? { texto: caption, citada: quoted } : { texto: '', citada: null }
        mutate({ id: newTemporaryId(), file, timestamp: new Date().toISOString(), ...first })
      }
    },
    retry: (message) => {
      removeSend(client, sendOf(message))
      mutate(message)
    },
    discard: (message) => removeSend(client, sendOf(message)),
  }
}

function newTemporaryId(): string {
  return `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`
}

export interface PendingSend {
  readonly message: Outgoing
  readonly running: boolean
  /** Only failed files stay for a retry. A failed text returns to the draft. */
  readonly error: Error | null
}

export function usePendingSends(conversaId: string): readonly PendingSend[] {
  const states = useMutationState({ filters: { mutationKey: sendKey(conversaId) } })
  return states
    .flatMap(({ variables, status, isPaused, error }): readonly PendingSend[] => {
      if (!isOutgoing(variables)) return []
      if (status === 'pending') return [{ message: variables, running: !isPaused, error: null }]
      return status === 'error' && variables.file !== undefined ? [{ message: variables, running: false, error }] : []
    })
    .toSorted((a, b) => Date.parse(a.message.timestamp) - Date.parse(b.message.timestamp))
}

/** From 0 to 1. */
export function useUploadProgress(id: string): number {
  const { data = 0 } = useQuery<number>({ queryKey: progressKey(id), queryFn: skipToken })
  return data
}

type Confirmation = ServerEventPayloads['mensagemConversaHumana']

/** By id. Without an echoed id: by equal text at about the same time, if the text is in flight. */
function isConfirmedBy({ mensagem, idTemporario }: Confirmation) {
  return ({ id, texto, timestamp, file }: Outgoing, { state }: Mutation): boolean =>
    idTemporario === undefined
      ? state.status === 'pending' &&
        !state.isPaused &&
        file === undefined &&
        texto === mensagem.texto &&
        Math.abs(Date.parse(timestamp) - Date.parse(mensagem.timestamp)) <= DUPLICATA_TEMPORARIA_MS
      : id === idTemporario
}

/**
 * A socket event confirms its mensagem, also before the HTTP answer: removes it from the pending ones.
 * A failed text that the server had stored also leaves the draft.
 */
export function useSendConfirmations(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onSocketEvent(({ evento, dados }) => {
        if (evento !== 'mensagemConversaHumana' || dados.mensagem.tipo !== 'enviada') return
        const { conversaId } = dados
        const send = findSend(client, conversaId, isConfirmedBy(dados))
        if (send === undefined) return
        const { message, mutation } = send
        if (isFailedText(message, mutation) && readDraft(conversaId).trim() === message.texto) {
          writeDraft(conversaId, '')
        }
        removeSend(client, send)
      }),
    [client],
  )
}

export function useResend(conversaId: string): (mensagemId: string) => void {
  const client = useQueryClient()
  const user = useUsuario()
  return useCallback(
    (mensagemId) => {
      call(reenviarMensagemRoute, { params: { id: mensagemId } }).then(
        ({ mensagem }) => storeSent(client, conversaId, mensagem, user),
        (error: unknown) => showSendFailure(client, error, 'Erro ao enviar mensagem'),
      )
    },
    [client, conversaId, user],
  )
}
