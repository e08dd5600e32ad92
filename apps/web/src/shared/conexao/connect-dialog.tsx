import { CONNECTORS, type ConectorTipo, connectorsPairedBy } from '@balcao/contract/connectors'
import { CONECTORES } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { TEXTO_DO_MOTIVO } from '@balcao/contract/errors'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { refreshBotStatus, useBotStatus } from '#shared/data/bot-status.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useSistemaStatus } from '#shared/data/server-status.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { ConnectorOption } from './connector-option.tsx'
import { PairingHelp } from './pairing-help.tsx'
import { QrCodeView } from './qr-code.tsx'
import { useConnect } from './use-connect.ts'

/** Saves the connector, restarts the bot and shows the QR code until the phone is linked. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const { bot } = useBotStatus()
  const [started, setStarted] = useState<ConectorTipo | null>(null)
  return (
    <Dialog open title="Conectar o WhatsApp" width="lg" onClose={onClose}>
      {started === null ? (
        <ConnectorChoice onStarted={setStarted} onClose={onClose} />
      ) : (
        <LinkProgress bot={bot} conector={started} onAgain={() => setStarted(null)} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** All until the server has answered: it refuses an absent one anyway. */
function useRealConnectors(): readonly ConectorTipo[] {
  const { data } = useSistemaStatus()
  const withoutPhone = [...connectorsPairedBy('simulated'), ...connectorsPairedBy('site')]
  return CONECTORES.filter((name) => !withoutPhone.includes(name) && (data?.conectores ?? CONECTORES).includes(name))
}

interface ChoiceProps {
  readonly onStarted: (conector: ConectorTipo) => void
  readonly onClose: () => void
}

function ConnectorChoice({ onStarted, onClose }: ChoiceProps) {
  const options = useRealConnectors()
  const [picked, setPicked] = useState<ConectorTipo>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const connect = useConnect()
  const navigate = useNavigate()
  const chosen = picked ?? options[0]
  const byToken = chosen !== undefined && CONNECTORS[chosen].pairing === 'none'

  async function go(conector: ConectorTipo): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      await connect(conector)
    } catch (error) {
      setFailure(errorMessage(error))
      setBusy(false)
      return
    }
    if (!byToken) return onStarted(conector)
    onClose()
    await navigate({ to: '/dashboard', search: { aba: 'geral' } })
  }

  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== undefined && !busy) void go(chosen)
      }}
    >
      {failure !== undefined && (
        <Notice tone="erro" title="Não foi possível conectar">
          {failure}
        </Notice>
      )}
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm text-muted">Escolha como o bot fala com os seus clientes.</legend>
        {options.map((name) => (
          <ConnectorOption key={name} name={name} checked={name === chosen} onPick={() => setPicked(name)} />
        ))}
      </fieldset>
      {chosen !== undefined && <p className="text-sm text-muted">{CONNECTORS[chosen].settingsHelp}</p>}
      {options.length === 0 && (
        <p className="text-sm text-muted">Este servidor só tem o simulador. Fale com quem cuida dele.</p>
      )}
      <Button type="submit" variant="primary" size="touch" busy={busy} disabled={chosen === undefined}>
        {byToken ? 'Salvar e informar os dados' : 'Salvar e conectar'}
      </Button>
    </form>
  )
}

interface ProgressProps {
  readonly bot: BotStatus
  readonly conector: ConectorTipo
  readonly onAgain: () => void
  readonly onClose: () => void
}

function LinkProgress({ bot, conector, onAgain, onClose }: ProgressProps) {
  const client = useQueryClient()
  if (bot.status === 'CONECTADO' && !bot.modoTeste) {
    const as = bot.conectadoComo === undefined ? '' : ` como ${bot.conectadoComo}`
    return (
      <Progress icon={<CircleCheck aria-hidden className="size-10 text-brand" />} text={`WhatsApp conectado${as}.`}>
        <Button variant="primary" size="touch" onClick={onClose}>
          Concluir
        </Button>
      </Progress>
    )
  }
  if (bot.status === 'ERRO' || bot.status === 'erro_auth' || bot.status === 'PARADO') {
    const reason = bot.motivo === undefined ? 'O bot parou antes de conectar.' : TEXTO_DO_MOTIVO[bot.motivo]
    return (
      <Progress icon={<TriangleAlert aria-hidden className="size-10 text-danger-ink" />} text={reason}>
        <Button size="touch" onClick={onAgain}>
          Tentar de novo
        </Button>
      </Progress>
    )
  }
  if (bot.qrCode === null) {
    return (
      <Progress
        icon={<LoaderCircle aria-hidden className="size-10 animate-spin text-muted" />}
        text="Aguarde enquanto o QR Code é gerado…"
      />
    )
  }
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <div className="grid gap-3">
        <QrCodeView
          text={bot.qrCode}
          expiraEm={bot.qrExpiraEm}
          onExpired={() => void refreshBotStatus(client).catch(() => undefined)}
        />
      </div>
      <div className="grid content-start gap-3">
        <PairingHelp conector={conector} />
      </div>
    </div>
  )
}

function Progress({ icon, text, children }: { icon: ReactNode; text: string; children?: ReactNode }) {
  return (
    <div role="status" className="grid justify-items-center gap-4 py-8 text-center">
      {icon}
      <p>{text}</p>
      {children}
    </div>
  )
}
