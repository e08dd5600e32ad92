import { escanearRoute } from '@balcao/contract/routes/simulador'
import { useQueryClient } from '@tanstack/react-query'
import { ScanQrCode } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { refreshBotStatus } from '#shared/data/bot-status.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'

interface ConnectSimuladorProps {
  /** Absent: the main line. */
  readonly linhaId?: string | undefined
  readonly onConnected?: () => unknown
}

/** Instead of the QR code of the simulator, which no phone can read. */
export function ConnectSimulador({ linhaId, onConnected }: ConnectSimuladorProps) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  async function connect(): Promise<void> {
    setBusy(true)
    try {
      await call(escanearRoute, { body: linhaId === undefined ? {} : { linhaId } })
      // The socket also sends the new status.
      await (onConnected ?? (() => refreshBotStatus(client).catch(() => undefined)))()
    } catch (error) {
      notify.erro(errorMessage(error))
    }
    setBusy(false)
  }

  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 py-8 text-center">
      <p className="max-w-[28ch] text-sm text-muted">O simulador não precisa de celular. Conecte com um clique.</p>
      <Button variant="primary" size="touch" busy={busy} onClick={() => void connect()}>
        {!busy && <ScanQrCode aria-hidden className="size-4" />} Conectar o simulador
      </Button>
    </div>
  )
}
