import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { logFailure } from '#shared/log-failure.ts'
import { onSocketState, socketState } from '#shared/realtime/socket.ts'
import { useUsuario } from '#shared/session.tsx'
import { waitingTexts } from './waiting-texts.ts'

/** Sends the texts that wait on this device, at the start and whenever the connection returns. */
export function useSendWaiting(): void {
  const client = useQueryClient()
  const user = useUsuario()
  useEffect(() => {
    const run = (): void => {
      if (!navigator.onLine || waitingTexts().length === 0) return
      import('./send-waiting.ts')
        .then(({ sendWaiting }) => sendWaiting(client, user))
        .catch((error: unknown) => logFailure('waiting texts not sent', error))
    }
    run()
    addEventListener('online', run)
    const stop = onSocketState(() => {
      if (socketState().tipo === 'online') run()
    })
    return () => {
      removeEventListener('online', run)
      stop()
    }
  }, [client, user])
}
