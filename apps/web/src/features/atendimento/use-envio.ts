import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { resumoDaMensagem } from '@balcao/contract/resumo'
import { enviarMensagemRoute, reenviarMensagemRoute } from '@balcao/contract/routes/atendimento'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { onEvento } from '#shared/socket.ts'
import { naVez } from './fila-de-envio.ts'
import { confirmarPendente, incluirPendente, mudarPendente, retirarPendente } from './pendentes.ts'
import { devolverAoRascunho, escreverRascunho, lerRascunho } from './rascunhos.ts'
import { contarFalha, type LimiteDoDia, receberEnviada } from './receber.ts'
import { useLimite } from './use-limite.ts'

export interface Envio {
  readonly limite: LimiteDoDia | null
  /** Resolves to false on failure: the text is in the draft again. */
  readonly enviar: (conversa: Conversa, texto: string, citada: Mensagem | null) => Promise<boolean>
  /** Stable function. */
  readonly reenviar: (conversaId: string, mensagemId: string) => Promise<void>
}

/**
 * Failed sends that the server may still have stored. A retry of the same text reuses the id, so it is not sent
 * twice.
 */
const falhas = new Map<string, { readonly texto: string; readonly id: string }>()
addEventListener('saiu', () => falhas.clear())

/** The server did store it: clears the draft and the id, so that the same text later is a new mensagem. */
function esquecerFalha(conversaId: string, idTemporario: string | undefined): void {
  const falha = falhas.get(conversaId)
  if (falha === undefined || falha.id !== idTemporario) return
  falhas.delete(conversaId)
  if (lerRascunho(conversaId).trim() === falha.texto) escreverRascunho(conversaId, '')
}

/** Client-side id of a mensagem. The server echoes it in the confirmation. */
export function novoIdTemporario(): string {
  return `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`
}

export function citadaDe(citada: Mensagem | null): Pick<Mensagem, 'citada'> {
  if (citada === null) return {}
  const { texto, edicao = texto, midia, tipo } = citada
  const resumo = resumoDaMensagem({ texto: edicao, ...(midia === undefined ? {} : { midia }) })
  return { citada: { texto: resumo, nossa: tipo === 'enviada' } }
}

export function useEnvio(): Envio {
  const cliente = useQueryClient()
  const { id: meuId, nome } = useUsuario()
  const limite = useLimite()

  useEffect(
    () =>
      onEvento(({ evento, dados }) => {
        if (evento !== 'mensagemConversaHumana') return
        confirmarPendente(dados.conversaId, dados.mensagem, dados.idTemporario)
        esquecerFalha(dados.conversaId, dados.idTemporario)
      }),
    [],
  )

  async function enviar({ id: conversaId }: Conversa, texto: string, citada: Mensagem | null): Promise<boolean> {
    const anterior = falhas.get(conversaId)
    const idTemporario = anterior?.texto === texto ? anterior.id : novoIdTemporario()
    falhas.delete(conversaId)
    escreverRascunho(conversaId, '')
    const timestamp = new Date().toISOString()
    incluirPendente(conversaId, {
      ...{ id: idTemporario, texto, remetente: nome, timestamp, tipo: 'enviada' },
      ...citadaDe(citada),
    })
    let foi = true
    await naVez(conversaId, async () => {
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
    mudarPendente(conversaId, idTemporario, {})
    try {
      const params = { id: conversaId }
      const { mensagem } = await call(enviarMensagemRoute, {
        params,
        body: { mensagem: texto, idTemporario, ...(citada === null ? {} : { citadaId: citada.id }) },
      })
      receberEnviada(cliente, conversaId, mensagem, { id: meuId, nome })
      retirarPendente(conversaId, idTemporario)
      return true
    } catch (erro) {
      // The socket confirmed it before the response was lost: it was sent.
      if (!retirarPendente(conversaId, idTemporario)) return true
      falhas.set(conversaId, { texto, id: idTemporario })
      devolverAoRascunho(conversaId, texto)
      contarFalha(cliente, erro, 'Erro ao enviar mensagem')
      return false
    }
  }

  const reenviar = useCallback(
    async (conversaId: string, mensagemId: string): Promise<void> => {
      try {
        const { mensagem } = await call(reenviarMensagemRoute, { params: { id: mensagemId } })
        receberEnviada(cliente, conversaId, mensagem, { id: meuId, nome })
      } catch (erro) {
        contarFalha(cliente, erro, 'Erro ao enviar mensagem')
      }
    },
    [cliente, meuId, nome],
  )

  return { limite, enviar, reenviar }
}
