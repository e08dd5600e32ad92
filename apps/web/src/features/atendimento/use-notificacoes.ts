import { useEffect, useEffectEvent } from 'react'
import { useUsuario } from '#shared/session.tsx'
import { onEvento } from '#shared/socket.ts'

/** Tells what arrives, and keeps in the window's title how many wait. */
export function useNotificacoes(abertaId: string | undefined, abrir: (id: string) => void, aguardando: number): void {
  const { contaId } = useUsuario()
  const aberta = useEffectEvent(() => abertaId)
  const ir = useEffectEvent(abrir)
  useEffect(
    () =>
      onEvento((recebido) => {
        if (recebido.dados.userId !== contaId || !recebido.evento.endsWith('ConversaHumana')) return
        void import('./notificacoes.ts').then(
          ({ notificar }) => notificar(recebido, aberta(), ir),
          () => undefined,
        )
      }),
    [contaId],
  )
  useEffect(() => {
    document.title = aguardando > 0 ? `(${aguardando}) Atendimento · Balcão` : 'Atendimento · Balcão'
  }, [aguardando])
}
