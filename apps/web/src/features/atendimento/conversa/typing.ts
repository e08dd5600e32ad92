import { digitandoRoute } from '@balcao/contract/routes/atendimento-conversa'
import { useEffect, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { useUsuario } from '#shared/session.tsx'

/** Typing indicators of both sides. They are never stored. */

const TYPING_MS = 6_000
/** The customer's phone shows the indicator for some seconds, so more requests would be wasted. */
const TYPING_NOTICE_EVERY_MS = 4_000

export function useCustomerTyping(conversaId: string): boolean {
  const [typing, setTyping] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onSocketEvent(({ evento, dados }) => {
      const arrived =
        evento === 'mensagemConversaHumana' && dados.mensagem.tipo === 'recebida' && dados.marcada !== true
      if (!arrived && evento !== 'clienteDigitando') return
      if (dados.conversaId !== conversaId) return
      clearTimeout(timer)
      setTyping(!arrived)
      if (!arrived) timer = setTimeout(() => setTyping(false), TYPING_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [conversaId])
  return typing
}

/** The colleague who writes in the conversa now. Undefined: none. */
export function useColleagueTyping(conversaId: string): string | undefined {
  const { id: myId } = useUsuario()
  const [colleague, setColleague] = useState<string | undefined>(undefined)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onSocketEvent(({ evento, dados }) => {
      if (!('conversaId' in dados) || dados.conversaId !== conversaId) return
      const sent = evento === 'mensagemConversaHumana' && dados.mensagem.origem === 'operador'
      const writes = evento === 'colegaDigitando' && dados.operadorId !== myId
      if (!sent && !writes) return
      clearTimeout(timer)
      setColleague(writes ? dados.operador : undefined)
      if (writes) timer = setTimeout(() => setColleague(undefined), TYPING_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [conversaId, myId])
  return colleague
}

const lastNotices = new Map<string, number>()
addEventListener('saiu', () => lastNotices.clear())

export function sendTypingSignal(conversaId: string, nowMs = performance.now()): void {
  if (nowMs - (lastNotices.get(conversaId) ?? Number.NEGATIVE_INFINITY) < TYPING_NOTICE_EVERY_MS) return
  lastNotices.set(conversaId, nowMs)
  call(digitandoRoute, { params: { id: conversaId } }).catch(() => undefined)
}
