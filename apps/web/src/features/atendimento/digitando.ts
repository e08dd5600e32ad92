import { digitandoRoute } from '@balcao/contract/routes/atendimento'
import { useEffect, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { onEvento } from '#shared/socket.ts'

/** Typing indicators of both sides. They are never stored. */

const DIGITANDO_MS = 6_000
/** The customer's phone shows the indicator for some seconds, so more requests would be wasted. */
const AVISAR_A_CADA_MS = 4_000

export function useClienteDigitando(conversaId: string): boolean {
  const [digitando, setDigitando] = useState(false)
  useEffect(() => {
    let fim: ReturnType<typeof setTimeout> | undefined
    const parar = onEvento(({ evento, dados }) => {
      const chegou = evento === 'mensagemConversaHumana' && dados.mensagem.tipo === 'recebida' && dados.marcada !== true
      if (!chegou && evento !== 'clienteDigitando') return
      if (dados.conversaId !== conversaId) return
      clearTimeout(fim)
      setDigitando(!chegou)
      if (!chegou) fim = setTimeout(() => setDigitando(false), DIGITANDO_MS)
    })
    return () => {
      parar()
      clearTimeout(fim)
    }
  }, [conversaId])
  return digitando
}

const ultimos = new Map<string, number>()

export function avisarQueDigito(conversaId: string, agoraMs = performance.now()): void {
  if (agoraMs - (ultimos.get(conversaId) ?? Number.NEGATIVE_INFINITY) < AVISAR_A_CADA_MS) return
  ultimos.set(conversaId, agoraMs)
  call(digitandoRoute, { params: { id: conversaId } }).catch(() => undefined)
}
